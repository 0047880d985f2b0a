import {
  ARBITRATION_SECONDS,
  createTokenAccountInstruction,
  findTokenAccountAddress,
  NATIVE_MINTS,
  openDisputeInstruction,
  type ProgramInstruction,
  RETENTION_SECONDS,
  refundInstruction,
  releaseInstruction,
  type Side,
} from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import type { ActionCommand, BuiltAction, Obstacle, PaymentAction } from "../actions.ts";
import type { ChainPayment, DuePart } from "../port.ts";
import type { RawAccount } from "./account.ts";
import { draftParts, paymentRef, withHarvests } from "./settlement.ts";
import { balanceOf, withheldIn } from "./tokenAccounts.ts";

/** The state on chain of the accounts that an action names, besides the payment's own. */
export interface ActionFacts {
  /** Lamports of the payment's record. */
  readonly record: bigint;
  readonly vault: { readonly raw: RawAccount; readonly lamports: bigint } | null;
  /** True if the side's associated token account exists. */
  readonly hasAccount: Readonly<Record<Side, boolean>>;
  /** Lamports of the rent payer, and the minimum for the size of its account. */
  readonly rentPayer: { readonly lamports: bigint; readonly least: bigint };
  /** Lamports of the wallet that pays the fee. */
  readonly lamports: bigint;
  readonly rents: { readonly wallet: bigint; readonly tokenAccount: bigint; readonly tombstone: bigint };
}

/** The instructions of an action, in one of the ways in which it can be done. */
export interface ActionPlan {
  readonly instructions: readonly ProgramInstruction[];
  /** The rent of the account's own token account, if it is made. */
  readonly tokenAccount: bigint;
  readonly returns: BuiltAction["returns"];
}

type Action = Pick<ActionCommand, "action" | "account" | "sponsor" | "now"> & { readonly total: bigint };

/** Returns the wallet whose signature an action needs; null if anyone may send it. */
export const signerOf = ({ sender, recipient }: ChainPayment, action: PaymentAction): string | null => {
  if (action === "refund") return recipient;
  return action === "dispute" || action === "release" ? sender : null;
};

/** The total that the sender has in the end, as a command names it or as it is bound now. */
export const totalOf = ({ refundTotal }: ChainPayment, { total }: Pick<ActionCommand, "total">): bigint =>
  total ?? BigInt(refundTotal);

const isPaidOut = ({ status }: ChainPayment): boolean => status === "released" || status === "refunded";

const isOver = (from: Date | null, seconds: number, now: Date): boolean =>
  from !== null && now.getTime() >= from.getTime() + seconds * 1_000;

/** A built transaction lands within this time or never, by a chain whose clock may be ahead. */
const LANDS_WITHIN_MS = 600_000;

/** Returns true if a dispute was open for so long that a payout to the sender refunds everything. */
const isLapsed = ({ status, outcome, disputedAt }: ChainPayment, now: Date): boolean =>
  outcome === null && status === "disputed" && isOver(disputedAt, ARBITRATION_SECONDS, now);

/**
 * Returns the reason why the payment's state does not allow an action; null if it does. The chain alone decides about the
 * deadline of a dispute: its clock may be behind, and a buyer must not lose the last seconds.
 */
export function findObstacle(payment: ChainPayment, action: PaymentAction, total: bigint, now: Date): Obstacle | null {
  const { status, outcome, settledAt, refundedAt } = payment;
  const [amount, bound, released] = [payment.amount, payment.refundTotal, payment.amountReleased].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const isDisputed = status === "disputed";
  if (action === "close") {
    if (!isPaidOut(payment)) return "not_paid_out";
    const last = new Date(Math.max(+(settledAt ?? 0), +(refundedAt ?? 0)));
    return isOver(last, RETENTION_SECONDS, now) ? null : "retention_running";
  }
  if (isPaidOut(payment)) return "already_paid_out";
  const decides = ["dispute", "release", "settle", "refund_unresolved"].includes(action);
  if (decides && outcome !== null) return "already_decided";
  switch (action) {
    case "dispute":
      return isDisputed ? "already_disputed" : null;
    case "release":
      if (total > bound) return "less_bound";
      return total < bound ? "invalid_total" : null;
    case "refund":
      if (released > 0n) return "already_paid_out";
      return total > bound && total <= amount ? null : "invalid_total";
    case "settle":
      if (isDisputed) return "already_disputed";
      return isOver(payment.protectionDeadline, 0, now) ? null : "protection_running";
    case "refund_unresolved":
      if (!isDisputed) return "not_disputed";
      return isLapsed(payment, now) ? null : "arbitration_running";
    case "pay_out_sender":
      // From the lapse on, the same instruction refunds everything.
      if (isLapsed(payment, now)) return "arbitration_over";
      return bound > BigInt(payment.amountRefunded) ? null : "nothing_due";
    case "pay_out_recipient":
      return outcome !== null && amount - bound > released ? null : "nothing_due";
  }
}

/**
 * Plans an action in the ways in which it can be done, the best first. A decision goes with the part that it makes due;
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
  const alone = decision === null ? [] : [{ instructions: [decision], tokenAccount: 0n, returns: null }];
  const parts = partsOf(payment, command.action, facts.vault !== null);
  const landsBy = new Date(command.now.getTime() + LANDS_WITHIN_MS);
  const goesAlone = command.sponsor !== undefined || (command.action === "refund" && isLapsed(payment, landsBy));
  if (parts.length === 0 || (decision !== null && goesAlone)) return alone;
  const own = ownAccountSide(payment, parts, command, facts);
  const made = own === null ? [] : [await makeAccount(payment, own)];
  const drafted = await draftParts(parts, programId);
  const isWithheld = withheldIn(facts.vault?.raw ?? null) > 0n;
  const steps = withHarvests(drafted, () => isWithheld).map(({ instruction }) => instruction);
  const whole = {
    instructions: [...(decision === null ? [] : [decision]), ...made, ...steps],
    tokenAccount: own === null ? 0n : facts.rents.tokenAccount,
    returns: returnsOf(payment, command, parts, facts),
  };
  return [whole, ...alone];
}

function draftDecision(payment: ChainPayment, { action, total }: Action, programId: Address) {
  const ref = { programId, payment: paymentRef(payment) };
  if (action === "dispute") return openDisputeInstruction(ref);
  if (action === "release") return releaseInstruction({ ...ref, total });
  return action === "refund" ? refundInstruction({ ...ref, total }) : null;
}

const SIDE_OF: Readonly<Record<Exclude<PaymentAction, "dispute" | "close">, Side>> = {
  release: "recipient",
  refund: "sender",
  settle: "recipient",
  refund_unresolved: "sender",
  pay_out_sender: "sender",
  pay_out_recipient: "recipient",
};

/** The parts that leave with an action. A vault that is still there is emptied and closed before the record. */
function partsOf(payment: ChainPayment, action: PaymentAction, hasVault: boolean): readonly DuePart[] {
  if (action === "dispute") return [];
  if (action !== "close") return [{ payment, side: SIDE_OF[action] }];
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
  const moved = closesRecord ? balanceOf(vault?.raw ?? null) : movedLast(payment, command, parts);
  const isNative = NATIVE_MINTS.includes(payment.asset as Address);
  const ofVault = vault === null || moved === null ? 0n : vault.lamports - (isNative ? moved : 0n);
  const lamports = ofRecord + (ofVault > 0n ? ofVault : 0n);
  return lamports <= 0n || rentPayer.lamports + lamports < rentPayer.least ? null : { lamports, to: payment.rentPayer };
}

/** Returns the amount that leaves with the last part; null if something stays in the vault. */
function movedLast(payment: ChainPayment, { action, total }: Action, parts: readonly DuePart[]): bigint | null {
  const amount = BigInt(payment.amount);
  const sides = parts.map(({ side }) => side);
  const isDecided =
    payment.outcome !== null ||
    ["release", "settle", "refund_unresolved"].includes(action) ||
    (action === "refund" && total === amount);
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
