import {
  decodePaymentAccount,
  findPaymentAddress,
  findTokenAccountAddress,
  PAYMENT_ACCOUNT_SIZE,
  SYSTEM_PROGRAM_ID,
  TOKEN_PROGRAM_IDS,
  TOMBSTONE_ACCOUNT_SIZE,
} from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import type { PaymentCommand } from "../builder.ts";
import { fetchAtHead, type RawAccount } from "./account.ts";
import { mayHaveHook } from "./mint.ts";
import { NodeError } from "./nodeError.ts";
import type { PaymentFacts } from "./paymentPlan.ts";
import type { NodeSession } from "./pool.ts";
import type { FetchRent } from "./rents.ts";
import { associatedAccountSize, balanceOf } from "./tokenAccounts.ts";

/** The associated token accounts of a payment's sender and recipient, under one of the token programs. */
interface TokenAccounts {
  readonly tokenProgram: Address;
  readonly source: Address;
  readonly destination: Address;
}

/** A payment's accounts. */
export interface PaymentAddresses {
  readonly programId: Address;
  readonly operator: Address;
  readonly mint: Address;
  readonly sender: Address;
  readonly recipient: Address;
  /** The payer of fee and rents: the sender, or a sponsor. */
  readonly payer: Address;
  readonly payment: Address;
  /** The accounts under each token program: only the node's answer tells which of the two the mint's is. */
  readonly tokenAccounts: readonly TokenAccounts[];
}

export async function findPaymentAddresses(
  command: PaymentCommand,
  ours: { readonly programId: string; readonly operator: string },
): Promise<PaymentAddresses> {
  const named = {
    programId: ours.programId as Address,
    operator: ours.operator as Address,
    mint: command.asset as Address,
    sender: command.sender as Address,
    recipient: command.recipient as Address,
    payer: (command.sponsor ?? command.sender) as Address,
  };
  const { mint, sender, recipient } = named;
  const tokenAccounts = TOKEN_PROGRAM_IDS.map(async (tokenProgram) => ({
    tokenProgram,
    source: await findTokenAccountAddress({ owner: sender, mint, tokenProgram }),
    destination: await findTokenAccountAddress({ owner: recipient, mint, tokenProgram }),
  }));
  return {
    ...named,
    payment: await findPaymentAddress({ ...named, paymentId: BigInt(command.paymentId) }),
    tokenAccounts: await Promise.all(tokenAccounts),
  };
}

type Found =
  | { readonly refusal: "already_paid" | "not_a_wallet" }
  | {
      readonly refusal: null;
      readonly facts: PaymentFacts;
      readonly arbiter: Address;
      readonly accounts: TokenAccounts;
    };

/** Reads the facts that a payment depends on, and the rents, in one request. Returns at once if the sender cannot pay. */
export async function fetchPaymentFacts(
  session: NodeSession,
  { programId, operator, mint, sender, payer, payment, tokenAccounts }: PaymentAddresses,
  fetchRent: FetchRent,
): Promise<Found> {
  const held = tokenAccounts.flatMap(({ source, destination }) => [source, destination]);
  const read = await fetchAtHead(session, [operator, mint, sender, payment, payer, ...held]);
  const [operatorAccount, mintAccount, senderAccount, paymentAccount, payerAccount] = read;
  if (paymentAccount?.owner === programId) return { refusal: "already_paid" };
  if (senderAccount && senderAccount.owner !== SYSTEM_PROGRAM_ID) return { refusal: "not_a_wallet" };

  const which = tokenAccounts.findIndex(({ tokenProgram }) => tokenProgram === mintAccount?.owner);
  const accounts = tokenAccounts[which];
  // The mint existed when the intent was made: this node is behind, or wrong.
  if (!mintAccount || accounts === undefined) throw new NodeError("no mint where one was", { rests: false });
  const heldAt = (index: number): RawAccount | null => {
    const raw = read[5 + 2 * which + index] ?? null;
    // Anyone may send lamports to an address before there is a token account.
    return raw?.owner === accounts.tokenProgram ? raw : null;
  };
  const [source, destination] = [heldAt(0), heldAt(1)];
  const [wallet, record, tombstone, tokenAccount] = await Promise.all([
    fetchRent(session, 0),
    fetchRent(session, PAYMENT_ACCOUNT_SIZE),
    fetchRent(session, TOMBSTONE_ACCOUNT_SIZE),
    fetchRent(session, associatedAccountSize(mintAccount)),
  ]);
  const facts: PaymentFacts = {
    lamports: payerAccount && payerAccount.owner !== SYSTEM_PROGRAM_ID ? 0n : (payerAccount?.lamports ?? 0n),
    tokens: balanceOf(source),
    hasSource: source !== null,
    hasDestination: destination !== null,
    rents: { wallet, record, tombstone, tokenAccount },
    hasHook: mayHaveHook(mintAccount),
  };
  return { refusal: null, facts, arbiter: readArbiter(operatorAccount ?? null, programId), accounts };
}

function readArbiter(account: RawAccount | null, programId: string): Address {
  const decoded = account?.owner === programId ? decodePaymentAccount(account.data) : null;
  if (decoded?.kind !== "operator") throw new NodeError("no operator account where it was", { rests: false });
  return decoded.arbiter;
}
