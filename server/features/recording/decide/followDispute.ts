import { isPaidOut } from "../../../chain/acts.ts";
import { newDisputeId } from "../../../domain/ids.ts";
import { showFields } from "../../../domain/show.ts";
import { advance, draftDispute } from "../../disputes/advance.ts";
import { type Dispute, draftDisputeEvent, showDisputeEvent } from "../../disputes/dispute.ts";
import type { Happening } from "../../disputes/happening.ts";
import type { Waits } from "../../disputes/waits.ts";
import type { PendingEvent } from "../../events/event.ts";
import type { IntentState, KnownPayment } from "./state.ts";
import { isSameTime } from "./steps.ts";

interface Effect {
  readonly state: IntentState;
  readonly pendingEvents: readonly PendingEvent[];
  readonly payment: KnownPayment | null;
}

/**
 * Adds what an effect on a payment means for its dispute, with the events right behind those of the payment (§4.18.2).
 * A payment that was never disputed has none. Pure.
 */
export function followDispute<Given extends Effect>(before: IntentState, effect: Given, now: Date): Given {
  const { payment, state } = effect;
  if (payment === null) return effect;
  const known = state.disputes.get(payment.id) ?? null;
  if (known === null && (payment.disputedAt === null || wasOver(before, payment))) return effect;
  const pendingEvents = [...effect.pendingEvents];
  let last = state.lastOccurredAt;
  let dispute = known;
  const take = (after: Dispute) => {
    if (after === dispute) return;
    if (dispute !== null && isShownAlike(dispute, after)) {
      // An amount that is bound shows only in an agreement.
      dispute = { ...after, version: dispute.version };
      return;
    }
    const event = draftDisputeEvent(dispute, after, last, dispute === null ? after.openedAt : last);
    pendingEvents.push(event);
    last = event.occurredAt;
    dispute = after;
  };
  const first = known ?? openDispute(payment, now, state.waits);
  take(first);
  for (const happening of happeningsOf(first, payment)) take(mustAdvance(dispute!, happening, now));
  if (dispute === known) return effect;
  const disputes = new Map(state.disputes).set(payment.id, dispute!);
  return { ...effect, pendingEvents, state: { ...state, lastOccurredAt: last, disputes } };
}

export const isShownAlike = (one: Dispute, other: Dispute): boolean =>
  showFields(showDisputeEvent(one)) === showFields(showDisputeEvent(other));

/** A payment that was paid out before the service knew of disputes has none. */
const wasOver = (before: IntentState, now: KnownPayment): boolean =>
  isPaidOut(now) &&
  before.payments.some(
    ({ id, status, disputedAt }) => id === now.id && isPaidOut({ status }) && isSameTime(disputedAt, now.disputedAt),
  );

const openDispute = (payment: KnownPayment, now: Date, waits: Waits | undefined): Dispute =>
  draftDispute(
    { ...payment, payment: payment.id },
    { id: newDisputeId(payment, now), openedAt: payment.disputedAt!, refundTotal: payment.refundTotal },
    now,
    waits,
  );

/** The chain is never refused. */
export function mustAdvance(dispute: Dispute, happening: Happening, now: Date): Dispute {
  const advanced = advance(dispute, happening, now);
  if (!advanced.ok) throw new Error(`The dispute ${dispute.id} refused ${happening.kind}: ${advanced.reason}.`);
  return advanced.dispute;
}

function happeningsOf(dispute: Dispute, payment: KnownPayment): Happening[] {
  const { disputedAt, outcome, refundTotal } = payment;
  // A part that went back before the end says nothing of its time.
  const at = isPaidOut(payment)
    ? new Date(Math.max(Number(payment.settledAt), Number(payment.refundedAt)))
    : (payment.settledAt ?? payment.checkedAt);
  if (disputedAt === null) return happeningsWithoutDispute(dispute, isPaidOut(payment) ? at : null);
  const isSame = isSameTime(dispute.openedAt, disputedAt);
  const happenings: Happening[] = [];
  if (dispute.status !== "paused" && !isSame) happenings.push({ kind: "reverted" });
  if (dispute.status === "paused" || !isSame) happenings.push({ kind: "landed_again", openedAt: disputedAt });
  if (dispute.refundTotal !== refundTotal) happenings.push({ kind: "refund_bound", refundTotal });
  const isOver = dispute.status === "closed" || dispute.status === "decided";
  if (
    isOver &&
    isSame &&
    (outcome === null || (dispute.status === "closed" && outcome === "resolved" && !isPaidOut(payment)))
  )
    happenings.push({ kind: "outcome_reverted", isRuled: outcome === "resolved" });
  if (outcome !== null) happenings.push({ kind: "outcome_bound", outcome, at });
  if (isPaidOut(payment)) happenings.push({ kind: "paid_out", at });
  return happenings;
}

/** A fork took the opening. The dispute waits until it lands again, or until the payment has ended without it. */
function happeningsWithoutDispute({ status }: Dispute, endedAt: Date | null): Happening[] {
  if (endedAt !== null && status === "closed") return [];
  const happenings: Happening[] = status === "paused" ? [] : [{ kind: "reverted" }];
  return endedAt === null ? happenings : [...happenings, { kind: "paid_out", at: endedAt }];
}
