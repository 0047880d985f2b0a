import {
  ARBITRATION_SECONDS,
  type Decision,
  type InstructionKind,
  instructionKind,
  openDisputeInstruction,
  type ProgramInstruction,
  RETENTION_SECONDS,
  refundInstruction,
  releaseInstruction,
  resolveInstruction,
  type Side,
} from "@holdfast/escrow-client";
import type { ReadonlyUint8Array } from "@solana/kit";
import { type Obstacle, PAYMENT_ACTS, type PaymentAct, type SignedAction } from "../acts.ts";
import type { ChainPayment } from "../port.ts";

/** An act on a payment. */
interface Act {
  /** The side that signs it. Null: anyone may send it. */
  readonly signer: "sender" | "recipient" | "arbiter" | null;
  /** True if it says who gets the money: it is refused once that is decided. */
  readonly decides: boolean;
  /** True if it names the total that the sender has in the end. */
  readonly namesTotal: boolean;
  /** Its instruction of the program. */
  readonly instruction: InstructionKind;
  /** Makes the instruction, beside those of the parts that leave. Null: these do it by themselves. */
  readonly draft: ((input: Decision) => ProgramInstruction) | null;
  /** The sides whose parts leave with it. `rest`: the rest of a vault, and the record. */
  readonly pays: readonly Side[] | "rest";
  /** Returns the reason why the state of a payment that was not paid out does not allow it; null if it does. */
  readonly obstacle: (state: ActState) => Obstacle | null;
}

/** A payment as an act finds it; amounts in smallest units. */
interface ActState {
  readonly payment: ChainPayment;
  readonly amount: bigint;
  /** The total of the sender that is bound now. */
  readonly bound: bigint;
  readonly refunded: bigint;
  readonly released: bigint;
  /** The total that the act names. */
  readonly total: bigint;
  readonly isDisputed: boolean;
  /** True if a dispute was open for so long that a payout to the sender refunds everything. */
  readonly isLapsed: boolean;
  readonly now: Date;
}

const payout = { signer: null, namesTotal: false, instruction: "pay_out", draft: null } as const;

/**
 * Every act on a payment. The chain alone decides about the deadline of a dispute: its clock may be behind, and a buyer
 * must not lose the last seconds.
 */
export const ACTS: Readonly<Record<PaymentAct, Act>> = {
  dispute: {
    signer: "sender",
    decides: true,
    namesTotal: false,
    instruction: "open_dispute",
    draft: openDisputeInstruction,
    pays: [],
    obstacle: ({ isDisputed }) => (isDisputed ? "already_disputed" : null),
  },
  release: {
    signer: "sender",
    decides: true,
    namesTotal: true,
    instruction: "release",
    draft: releaseInstruction,
    pays: ["recipient"],
    obstacle: ({ total, bound }) => (total > bound ? "less_bound" : total < bound ? "invalid_total" : null),
  },
  refund: {
    signer: "recipient",
    decides: false,
    namesTotal: true,
    instruction: "refund",
    draft: refundInstruction,
    pays: ["sender"],
    obstacle: ({ total, bound, amount, released }) => {
      if (released > 0n) return "already_paid_out";
      return total > bound && total <= amount ? null : "invalid_total";
    },
  },
  // It goes alone: no obstacle of a part can stop it, and the keeper sends the parts after it.
  resolve: {
    signer: "arbiter",
    decides: true,
    namesTotal: true,
    instruction: "resolve",
    draft: resolveInstruction,
    pays: [],
    obstacle: ({ isDisputed, total, bound, amount }) => {
      if (!isDisputed) return "not_disputed";
      // The program binds what was bound before, where that is more: a decision says what the buyer has in the end.
      if (total < bound) return "less_bound";
      return total > amount ? "invalid_total" : null;
    },
  },
  settle: {
    ...payout,
    decides: true,
    pays: ["recipient"],
    obstacle: ({ isDisputed, payment, now }) => {
      if (isDisputed) return "already_disputed";
      return isOver(payment.protectionDeadline, 0, now) ? null : "protection_running";
    },
  },
  refund_unresolved: {
    ...payout,
    decides: true,
    pays: ["sender"],
    obstacle: ({ isDisputed, isLapsed }) => {
      if (!isDisputed) return "not_disputed";
      return isLapsed ? null : "arbitration_running";
    },
  },
  pay_out_sender: {
    ...payout,
    decides: false,
    pays: ["sender"],
    obstacle: ({ isLapsed, bound, refunded }) => {
      // From the lapse on, the same instruction refunds everything.
      if (isLapsed) return "arbitration_over";
      return bound > refunded ? null : "nothing_due";
    },
  },
  pay_out_recipient: {
    ...payout,
    decides: false,
    pays: ["recipient"],
    obstacle: ({ payment: { outcome }, amount, bound, released }) =>
      outcome !== null && amount - bound > released ? null : "nothing_due",
  },
  close: {
    ...payout,
    instruction: "close_payment",
    decides: false,
    pays: "rest",
    obstacle: () => "not_paid_out",
  },
};

/** The acts by their instruction of the program. `pay_out` is one of several. */
const BY_INSTRUCTION: ReadonlyMap<InstructionKind | null, SignedAction["kind"]> = new Map([
  ...PAYMENT_ACTS.map((act) => [ACTS[act].instruction, act] as const),
  ["pay_out", "pay_out"],
]);

/** The act on a payment that an instruction of the program does; undefined for every other instruction. */
export const actionKind = (data: ReadonlyUint8Array): SignedAction["kind"] | undefined =>
  BY_INSTRUCTION.get(instructionKind(data));

/** Returns the wallet whose signature an act needs; null if anyone may send it. */
export const signerOf = (payment: ChainPayment, action: PaymentAct): string | null => {
  const { signer } = ACTS[action];
  return signer && payment[signer];
};

const isPaidOut = ({ status }: ChainPayment): boolean => status === "released" || status === "refunded";

const isOver = (from: Date | null, seconds: number, now: Date): boolean =>
  from !== null && now.getTime() >= from.getTime() + seconds * 1_000;

/** Returns true if a dispute was open for so long that a payout to the sender refunds everything. */
export const isLapsed = ({ status, outcome, disputedAt }: ChainPayment, now: Date): boolean =>
  outcome === null && status === "disputed" && isOver(disputedAt, ARBITRATION_SECONDS, now);

/** Returns the reason why the payment's state does not allow an act; null if it does. */
export function findObstacle(payment: ChainPayment, action: PaymentAct, total: bigint, now: Date): Obstacle | null {
  const { outcome, settledAt, refundedAt } = payment;
  const { decides, obstacle } = ACTS[action];
  if (isPaidOut(payment)) {
    if (action !== "close") return "already_paid_out";
    const last = new Date(Math.max(+(settledAt ?? 0), +(refundedAt ?? 0)));
    return isOver(last, RETENTION_SECONDS, now) ? null : "retention_running";
  }
  if (decides && outcome !== null) return "already_decided";
  return obstacle({
    payment,
    total,
    now,
    isDisputed: payment.status === "disputed",
    isLapsed: isLapsed(payment, now),
    amount: BigInt(payment.amount),
    bound: BigInt(payment.refundTotal),
    refunded: BigInt(payment.amountRefunded),
    released: BigInt(payment.amountReleased),
  });
}
