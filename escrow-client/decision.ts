import { type Address, getU64Encoder } from "@solana/kit";
import type { PaymentAccount } from "./accounts.ts";
import {
  dataOf,
  type InstructionKind,
  type PaymentRef,
  type ProgramInstruction,
  readonly,
  signer,
  writable,
} from "./instruction.ts";
import { payOutInstruction } from "./payout.ts";

const u64Bytes = getU64Encoder();

/** Every total is the sender's in the end, earlier refunds included. */
export interface Decision {
  readonly programId: Address;
  readonly payment: Pick<PaymentRef, "address" | "operator" | "sender" | "recipient" | "arbiter">;
  /** u64, in the token's smallest unit. */
  readonly total: bigint;
}

/**
 * Decides a disputed payment; its arbiter signs. Send it alone, and the parts after it: then no obstacle of a part can stop
 * the decision.
 */
export function resolveInstruction(input: Decision): ProgramInstruction {
  return decisionInstruction("resolve", input, input.payment.arbiter);
}

/** The sender lets the recipient have the rest, at any time; refused if the sender would keep less than the total. */
export function releaseInstruction(input: Decision): ProgramInstruction {
  return decisionInstruction("release", input, input.payment.sender);
}

/**
 * The recipient gives money back, at any time; the total must be more than before. A total of the whole amount gives back
 * everything.
 */
export function refundInstruction(input: Decision): ProgramInstruction {
  return decisionInstruction("refund", input, input.payment.recipient);
}

/**
 * Both sides agree that the sender has `total` in the end: one transaction that both sign, the recipient first. Build it
 * with a recent blockhash and never with a durable nonce, which would let the last signer keep it for as long as they like.
 */
export async function agreementInstructions(
  input: Omit<Decision, "payment"> & { readonly payment: PaymentRef & Pick<PaymentAccount, "amount" | "refundTotal"> },
): Promise<ProgramInstruction[]> {
  const { payment, total } = input;
  if (total < payment.refundTotal) throw new RangeError("The recipient has already bound more than this total.");
  const refunds = total > payment.refundTotal;
  const releases = total < payment.amount;
  // Leave out a part that was bound before: anyone may send it at any time, and it would then be missing here.
  return [
    ...(refunds ? [refundInstruction(input)] : []),
    ...(releases ? [releaseInstruction(input)] : []),
    ...(refunds ? [await payOutInstruction({ ...input, side: "sender" })] : []),
    ...(releases ? [await payOutInstruction({ ...input, side: "recipient" })] : []),
  ];
}

function decisionInstruction(kind: InstructionKind, input: Decision, actor: Address): ProgramInstruction {
  const { programId, payment, total } = input;
  return {
    programAddress: programId,
    accounts: [readonly(payment.operator), writable(payment.address), signer(actor)],
    data: dataOf(kind, u64Bytes.encode(total)),
  };
}
