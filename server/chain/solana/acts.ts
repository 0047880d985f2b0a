import {
  ARBITRATION_SECONDS,
  createTokenAccountInstruction,
  type Decision,
  findTokenAccountAddress,
  type InstructionKind,
  instructionKind,
  NATIVE_MINTS,
  openDisputeInstruction,
  type ProgramInstruction,
  RETENTION_SECONDS,
  refundInstruction,
  releaseInstruction,
  resolveInstruction,
  type Side,
} from "@holdfast/escrow-client";
import type { Address, ReadonlyUint8Array } from "@solana/kit";
import {
  type ActionCommand,
  type BuiltAction,
  type Obstacle,
  PAYMENT_ACTS,
  type PaymentAct,
  type SignedAction,
} from "../acts.ts";
import type { ChainPayment, DuePart } from "../port.ts";
import type { RawAccount } from "./account.ts";
import type { Plan } from "./draft.ts";
import { memoInstruction } from "./memo.ts";
import { draftParts, paymentRef, withHarvests } from "./settlement.ts";
import { balanceOf, withheldIn } from "./tokenAccounts.ts";

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
  /** The side whose part leaves with it. `last`: the rest of a vault, and the record; null: nothing leaves. */
  readonly pays: Side | "last" | null;
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
const ACTS: Readonly<Record<PaymentAct, Act>> = {
  dispute: {
    signer: "sender",
    decides: true,
    namesTotal: false,
    instruction: "open_dispute",
    draft: openDisputeInstruction,
    pays: null,
    obstacle: ({ isDisputed }) => (isDisputed ? "already_disputed" : null),
  },
  release: {
    signer: "sender",
    decides: true,
    namesTotal: true,
    instruction: "release",
    draft: releaseInstruction,
    pays: "recipient",
    obstacle: ({ total, bound }) => (total > bound ? "less_bound" : total < bound ? "invalid_total" : null),
  },
  refund: {
    signer: "recipient",
    decides: false,
    namesTotal: true,
    instruction: "refund",
    draft: refundInstruction,
    pays: "sender",
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
    pays: null,
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
    pays: "recipient",
    obstacle: ({ isDisputed, payment, now }) => {
      if (isDisputed) return "already_disputed";
      return isOver(payment.protectionDeadline, 0, now) ? null : "protection_running";
    },
  },
  refund_unresolved: {
    ...payout,
    decides: true,
    pays: "sender",
    obstacle: ({ isDisputed, isLapsed }) => {
      if (!isDisputed) return "not_disputed";
      return isLapsed ? null : "arbitration_running";
    },
  },
  pay_out_sender: {
    ...payout,
    decides: false,
    pays: "sender",
    obstacle: ({ isLapsed, bound, refunded }) => {
      // From the lapse on, the same instruction refunds everything.
      if (isLapsed) return "arbitration_over";
      return bound > refunded ? null : "nothing_due";
    },
  },
  pay_out_recipient: {
    ...payout,
    decides: false,
    pays: "recipient",
    obstacle: ({ payment: { outcome }, amount, bound, released }) =>
      outcome !== null && amount - bound > released ? null : "nothing_due",
  },
  close: {
    ...payout,
    instruction: "close_payment",
    decides: false,
    pays: "last",
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

/** The state on chain of the accounts that an action names, besides the payment's own. */
export interface ActionFacts {
  /** Lamports of the payment's record. */
  readonly record: bigint;
  readonly vault: RawAccount | null;
  /** True if the side's associated token account exists. */
  readonly hasAccount: Readonly<Record<Side, boolean>>;
  /** Lamports of the rent payer, and the minimum for the size of its account. */
  readonly rentPayer: { readonly lamports: bigint; readonly least: bigint };
  /** Lamports of the wallet that pays the fee. */
  readonly lamports: bigint;
  readonly rents: { readonly wallet: bigint; readonly tokenAccount: bigint; readonly tombstone: bigint };
}

/** The instructions of an act, in one of the ways in which it can be done. */
export interface ActionPlan extends Plan {
  readonly returns: BuiltAction["returns"];
}

type Action = Omit<ActionCommand, "total"> & { readonly total: bigint };

/** Returns the wallet whose signature an act needs; null if anyone may send it. */
export const signerOf = (payment: ChainPayment, action: PaymentAct): string | null => {
  const { signer } = ACTS[action];
  return signer && payment[signer];
};

export const namesTotal = (action: PaymentAct): boolean => ACTS[action].namesTotal;

const isPaidOut = ({ status }: ChainPayment): boolean => status === "released" || status === "refunded";

const isOver = (from: Date | null, seconds: number, now: Date): boolean =>
  from !== null && now.getTime() >= from.getTime() + seconds * 1_000;

/** A built transaction lands within this time or never, by a chain whose clock may be ahead. */
const LANDS_WITHIN_MS = 600_000;

/** Returns true if a dispute was open for so long that a payout to the sender refunds everything. */
const isLapsed = ({ status, outcome, disputedAt }: ChainPayment, now: Date): boolean =>
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

/**
 * Plans an act in the ways in which it can be done, the best first. A decision goes with the part that it makes due;
 * where that part cannot leave now, the decision goes alone. So does one that a sponsor pays for, which names nothing but
 * the payment and its signer. A part that was bound earlier never goes with a decision: anyone may send it first, and the
 * whole transaction would fail. Nor does a payout go with a refund that may land after the dispute's lapse: it would
 * refund everything.
 */
export async function planAction(
  payment: ChainPayment,
  command: Action,
  facts: ActionFacts,
  programId: string,
): Promise<readonly ActionPlan[]> {
  const decision = draftDecision(payment, command, programId as Address);
  const free = { spent: 0n, lent: 0n, returns: null };
  const alone = decision.length === 0 ? [] : [{ instructions: decision, ...free }];
  const parts = partsOf(payment, command.action, facts.vault !== null);
  const landsBy = new Date(command.now.getTime() + LANDS_WITHIN_MS);
  const goesAlone = command.sponsor !== undefined || (command.action === "refund" && isLapsed(payment, landsBy));
  if (parts.length === 0 || (decision.length > 0 && goesAlone)) return alone;
  const own = ownAccountSide(payment, parts, command, facts);
  const made = own === null ? [] : [await makeAccount(payment, own)];
  const drafted = await draftParts(parts, programId);
  const isWithheld = withheldIn(facts.vault) > 0n;
  const steps = withHarvests(drafted, () => isWithheld).map(({ instruction }) => instruction);
  const whole = {
    instructions: [...decision, ...made, ...steps],
    spent: own === null ? 0n : facts.rents.tokenAccount,
    lent: 0n,
    returns: returnsOf(payment, command, parts, facts),
  };
  return [whole, ...alone];
}

/** The instructions of the act itself: none if a payout alone does it. */
function draftDecision(payment: ChainPayment, { action, account, total, memo }: Action, programId: Address) {
  const decision = ACTS[action].draft?.({ programId, payment: paymentRef(payment), total });
  if (decision === undefined) return [];
  return memo === undefined ? [decision] : [decision, memoInstruction(account as Address, memo)];
}

/** The parts that leave with an act. A vault that is still there is emptied and closed before the record. */
function partsOf(payment: ChainPayment, action: PaymentAct, hasVault: boolean): readonly DuePart[] {
  const { pays } = ACTS[action];
  if (pays === null) return [];
  if (pays !== "last") return [{ payment, side: pays }];
  const swept: DuePart = { payment, side: payment.status === "released" ? "recipient" : "sender" };
  return [...(hasVault ? [swept] : []), { payment, side: "record" }];
}

/** Returns the side whose missing token account the signer pays for: the signer's own alone. No sponsor pays for one. */
function ownAccountSide(
  payment: ChainPayment,
  parts: readonly DuePart[],
  { account, sponsor }: Action,
  { hasAccount }: ActionFacts,
): Side | null {
  if (sponsor !== undefined) return null;
  const sides = parts.map(({ side }) => side).filter((side) => side !== "record");
  return sides.find((side) => payment[side] === account && !hasAccount[side]) ?? null;
}

function makeAccount(payment: ChainPayment, side: Side): Promise<ProgramInstruction> {
  const { mint, tokenProgram, ...ref } = paymentRef(payment);
  return createTokenAccountInstruction({ payer: ref[side], owner: ref[side], mint, tokenProgram });
}

/** Returns the rents that come back with the parts, as the program decides it (program/SPECIFICATION.md §5.6, §6). */
function returnsOf(
  payment: ChainPayment,
  command: Action,
  parts: readonly DuePart[],
  { record, vault, rentPayer, rents }: ActionFacts,
): ActionPlan["returns"] {
  const closesRecord = command.action === "close";
  const ofRecord = closesRecord ? record - rents.tombstone : 0n;
  const moved = closesRecord ? balanceOf(vault) : movedLast(payment, command, parts);
  const isNative = NATIVE_MINTS.includes(payment.asset as Address);
  const ofVault = vault === null || moved === null ? 0n : vault.lamports - (isNative ? moved : 0n);
  const lamports = ofRecord + (ofVault > 0n ? ofVault : 0n);
  return lamports <= 0n || rentPayer.lamports + lamports < rentPayer.least ? null : { lamports, to: payment.rentPayer };
}

/** Returns the amount that leaves with the last part; null if something stays in the vault. */
function movedLast(payment: ChainPayment, { action, total }: Action, parts: readonly DuePart[]): bigint | null {
  const amount = BigInt(payment.amount);
  const sides = parts.map(({ side }) => side);
  const isDecided = payment.outcome !== null || ACTS[action].decides || (action === "refund" && total === amount);
  const senderTotal =
    action === "refund_unresolved" ? amount : action === "refund" ? total : BigInt(payment.refundTotal);
  const refunded = sides.includes("sender") ? senderTotal : BigInt(payment.amountRefunded);
  const released = sides.includes("recipient") ? amount - senderTotal : BigInt(payment.amountReleased);
  const before = BigInt(payment.amountRefunded) + BigInt(payment.amountReleased);
  return isDecided && refunded + released === amount ? amount - before : null;
}

/** Finds the associated token accounts of both sides. */
export async function findSideAccounts(payment: ChainPayment): Promise<Readonly<Record<Side, Address>>> {
  const { sender, recipient, mint, tokenProgram } = paymentRef(payment);
  const accountOf = (owner: Address) => findTokenAccountAddress({ owner, mint, tokenProgram });
  return { sender: await accountOf(sender), recipient: await accountOf(recipient) };
}
