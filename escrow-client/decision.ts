import { type Address, getU64Encoder } from "@solana/kit";
import {
  dataOf,
  type InstructionKind,
  type PaymentRef,
  type ProgramInstruction,
  readonly,
  signer,
  writable,
} from "./instruction.ts";

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

function decisionInstruction(kind: InstructionKind, input: Decision, actor: Address): ProgramInstruction {
  const { programId, payment, total } = input;
  return {
    programAddress: programId,
    accounts: [readonly(payment.operator), writable(payment.address), signer(actor)],
    data: dataOf(kind, u64Bytes.encode(total)),
  };
}
