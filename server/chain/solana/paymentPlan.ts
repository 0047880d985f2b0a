import {
  createPaymentInstruction,
  createTokenAccountInstruction,
  NATIVE_MINTS,
  type NewPayment,
  type ProgramInstruction,
  SYSTEM_PROGRAM_ID,
  syncNativeInstruction,
} from "@holdfast/escrow-client";
import { AccountRole, type Address } from "@solana/kit";
import type { Plan } from "./draft.ts";

/** The state on chain of all accounts that a payment names. */
export interface PaymentFacts {
  /** The lamports of the payer of fee and rents, and the sender's token balance. */
  readonly lamports: bigint;
  readonly tokens: bigint;
  readonly hasSource: boolean;
  readonly hasDestination: boolean;
  readonly rents: {
    readonly wallet: bigint;
    readonly record: bigint;
    readonly tombstone: bigint;
    readonly tokenAccount: bigint;
  };
  /** True if the mint may call a program of its issuer. */
  readonly hasHook: boolean;
}

export interface PaymentPlan extends Plan {
  readonly tokensMissing: bigint;
  readonly wraps: boolean;
}

type Payment = NewPayment & { readonly source: Address; readonly destination: Address };

/**
 * Plans a payment. If the sender's wrapped SOL is too little, it wraps the missing amount. An account made for that is
 * closed again.
 */
export async function planPayment(payment: Payment, facts: PaymentFacts): Promise<PaymentPlan> {
  const { sender, recipient, mint, tokenProgram, source, amount } = payment;
  const short = amount > facts.tokens ? amount - facts.tokens : 0n;
  const wraps = NATIVE_MINTS.includes(mint) && short > 0n;
  const makesSource = wraps && !facts.hasSource;
  const { record, tokenAccount } = facts.rents;
  const accountOf = (owner: Address) => createTokenAccountInstruction({ payer: sender, owner, mint, tokenProgram });
  return {
    instructions: [
      ...(facts.hasDestination ? [] : [await accountOf(recipient)]),
      ...(makesSource ? [await accountOf(sender)] : []),
      ...(wraps
        ? [transferInstruction(sender, source, short), syncNativeInstruction({ tokenProgram, account: source })]
        : []),
      await createPaymentInstruction(payment),
      ...(makesSource ? [closeAccountInstruction(tokenProgram, source, sender)] : []),
    ],
    spent: record + tokenAccount + (facts.hasDestination ? 0n : tokenAccount) + (wraps ? short : 0n),
    lent: makesSource ? tokenAccount : 0n,
    tokensMissing: wraps ? 0n : short,
    wraps,
  };
}

/**
 * Returns the reason why a sponsor does not pay for a payment, in words; null if it may. It pays fee, record and vault
 * alone: any other cost would be a present to buyer or recipient, or pass the sponsor's signature to a program of the
 * issuer.
 */
export function whyNotSponsored(
  { sender, recipient, payer }: Pick<Payment, "sender" | "recipient" | "payer">,
  plan: PaymentPlan,
  { hasDestination, hasHook }: PaymentFacts,
): string | null {
  if (payer === sender || payer === recipient) return "the sponsor is a side of it";
  if (!hasDestination) return "the recipient has no token account";
  if (plan.wraps) return "SOL has to be wrapped";
  return hasHook ? "the token may call another program" : null;
}

const SYSTEM_TRANSFER = 2;
function transferInstruction(from: Address, to: Address, lamports: bigint): ProgramInstruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(SYSTEM_TRANSFER, 0);
  data.writeBigUInt64LE(lamports, 4);
  return {
    programAddress: SYSTEM_PROGRAM_ID,
    accounts: [
      { address: from, role: AccountRole.WRITABLE_SIGNER },
      { address: to, role: AccountRole.WRITABLE },
    ],
    data,
  };
}

const CLOSE_ACCOUNT = 9;
const closeAccountInstruction = (tokenProgram: Address, account: Address, owner: Address): ProgramInstruction => ({
  programAddress: tokenProgram,
  accounts: [
    { address: account, role: AccountRole.WRITABLE },
    { address: owner, role: AccountRole.WRITABLE },
    { address: owner, role: AccountRole.READONLY_SIGNER },
  ],
  data: Uint8Array.of(CLOSE_ACCOUNT),
});
