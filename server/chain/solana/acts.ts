import {
  type Decision,
  type InstructionKind,
  instructionKind,
  OPERATOR_ACCOUNT_INDEX,
  openDisputeInstruction,
  PAYMENT_ACCOUNT_INDEX,
  type ProgramInstruction,
  refundInstruction,
  releaseInstruction,
  resolveInstruction,
} from "@holdfast/escrow-client";
import type { ReadonlyUint8Array } from "@solana/kit";
import { actNamed, PAYMENT_ACTS, type PaymentAct, type SignedAction } from "../acts.ts";
import type { ChainPayment } from "../port.ts";
import { readTotal } from "./memo.ts";
import type { ReadInstruction } from "./wireTransaction.ts";

interface ActInstruction {
  /** Its instruction of the program. */
  readonly kind: InstructionKind;
  /** Makes the instruction, beside those of the parts that leave. Absent: these do it by themselves. */
  readonly draft?: (input: Decision) => ProgramInstruction;
}

const PAYOUT = { kind: "pay_out" } as const;

/** The instruction of each act that `../acts.ts` declares. */
export const INSTRUCTIONS: Readonly<Record<PaymentAct, ActInstruction>> = {
  dispute: { kind: "open_dispute", draft: openDisputeInstruction },
  release: { kind: "release", draft: releaseInstruction },
  refund: { kind: "refund", draft: refundInstruction },
  resolve: { kind: "resolve", draft: resolveInstruction },
  settle: PAYOUT,
  refund_unresolved: PAYOUT,
  pay_out_sender: PAYOUT,
  pay_out_recipient: PAYOUT,
  close: { kind: "close_payment" },
};

/** The acts by their instruction of the program. `pay_out` is one of several. */
const BY_INSTRUCTION: ReadonlyMap<InstructionKind | null, SignedAction["kind"]> = new Map([
  ...PAYMENT_ACTS.map((act) => [INSTRUCTIONS[act].kind, act] as const),
  ["pay_out", "pay_out"],
]);

/** The act on a payment that an instruction of the program does; undefined for every other instruction. */
export const actionKind = (data: ReadonlyUint8Array): SignedAction["kind"] | undefined =>
  BY_INSTRUCTION.get(instructionKind(data));

export interface Ours {
  readonly programId: string;
  readonly operator: string;
}

/** Returns the act of an instruction on a payment of the operator; null for any other instruction. */
export function readAct({ program, accounts, data }: ReadInstruction, ours: Ours): SignedAction | null {
  if (program !== ours.programId) return null;
  const kind = actionKind(data);
  const payment = accounts[PAYMENT_ACCOUNT_INDEX];
  if (kind === undefined || payment === undefined || accounts[OPERATOR_ACCOUNT_INDEX] !== ours.operator) return null;
  return { kind, payment, total: readTotal(data) };
}

/** Returns the wallet whose signature an act needs; null if anyone may send it. */
export const signerOf = (payment: ChainPayment, action: PaymentAct): string | null => {
  const { signer } = actNamed(action);
  return signer && payment[signer];
};
