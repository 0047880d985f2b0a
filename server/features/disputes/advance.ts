import { DISPUTE_LAPSE_MS } from "../../chain/acts.ts";
import type { DisputeChangedReason } from "../../domain/errors.ts";
import {
  agreementOf,
  type Dispute,
  FILES_MAX,
  missingSteps,
  OFFERS_MAX,
  type OfferState,
  type OpenStatus,
  otherSide,
  type Side,
  STATEMENTS_A_DAY_MAX,
  STATEMENTS_MAX,
  type Turn,
} from "./dispute.ts";
import type { ActHappening, Happening } from "./happening.ts";
import { ask, askAgain, isAsked, NO_QUESTION, reply } from "./question.ts";
import {
  ANSWER_MS_MAX,
  after,
  DAY_MS,
  DEFAULT_WAITS,
  dayOf,
  decideByOf,
  earlier,
  FILE_AFTER_WORD_MS,
  later,
  REPLY_MS,
  type Waits,
} from "./waits.ts";

/** The dispute after a happening; or the reason why it is refused, and nothing changes. */
export type Advanced =
  | { readonly ok: true; readonly dispute: Dispute }
  | { readonly ok: false; readonly reason: DisputeChangedReason };

/**
 * A new dispute of a payment that the chain shows as disputed. If it was found late, both sides have {@link REPLY_MS} to
 * answer, within the bound of the clock.
 */
export function draftDispute(
  payment: Pick<Dispute, "businessId" | "environment" | "payment" | "intentId" | "merchantReference" | "amount">,
  { id, openedAt, refundTotal }: Pick<Dispute, "id" | "openedAt" | "refundTotal">,
  now: Date,
  waits: Waits = DEFAULT_WAITS,
): Dispute {
  return finish({
    ...payment,
    ...waits,
    id,
    refundTotal,
    status: "talking",
    resumesAs: null,
    reason: "not_given",
    requestedTotal: null,
    turn: "merchant",
    ...clocksFrom(openedAt, now, waits),
    decidingAt: null,
    decideBy: null,
    lastWordBy: "buyer",
    lastWordAt: openedAt,
    ...{ buyerStatements: 0, buyerDay: 0, buyerOfDay: 0, buyerOffers: 0, buyerAskedAt: null, buyerWroteLate: false },
    ...{ merchantStatements: 0, merchantDay: 0, merchantOfDay: 0, merchantOffers: 0 },
    ...{ merchantAskedAt: null, merchantWroteLate: false },
    ...{ buyerFiles: 0, merchantFiles: 0 },
    questions: 0,
    ...NO_QUESTION,
    closedAt: null,
    erasedAt: null,
    createdAt: now,
    version: 1,
    nextAt: null,
    offers: [],
    agreement: null,
    ruling: null,
  });
}

const clocksFrom = (openedAt: Date, now: Date, { answerDays }: Pick<Waits, "answerDays">) => ({
  openedAt,
  answerBy: earlier(after(openedAt, ANSWER_MS_MAX), later(after(openedAt, answerDays * DAY_MS), after(now, REPLY_MS))),
  resolveBy: after(openedAt, DISPUTE_LAPSE_MS),
});

/**
 * The state after a happening at `now`. What is due by the clock happens first; an agreement fails by the clock alone,
 * which waits until the chain is read up to its end. Pure.
 */
export function advance(before: Dispute, happening: Happening, now: Date): Advanced {
  const result = follow(settleClock(before, now, happening.kind === "clock"), happening, now);
  if (typeof result === "string") return { ok: false, reason: result };
  const dispute = finish(result);
  const isSame = JSON.stringify(before) === JSON.stringify(dispute);
  return { ok: true, dispute: isSame ? before : { ...dispute, version: before.version + 1 } };
}

/** Sets what follows from the other fields: the turn, and the next time of the clock. */
function finish(dispute: Dispute): Dispute {
  const { status } = dispute;
  // A fork may give back a dispute of which texts were erased: what is sent then is erased in its time.
  const erasedAt = status === "decided" || status === "closed" ? dispute.erasedAt : null;
  return { ...dispute, erasedAt, turn: turnOf(dispute), nextAt: nextAtOf(dispute) };
}

function turnOf(dispute: Dispute): Turn {
  switch (dispute.status) {
    case "talking":
      return otherSide(dispute.lastWordBy);
    case "deciding":
      return dispute.merchantToAnswer ? "merchant" : dispute.buyerToAnswer ? "buyer" : "arbiter";
    case "agreed":
      return missingSteps(dispute)[0] === "refund" ? "merchant" : "buyer";
    default:
      return "nobody";
  }
}

function nextAtOf(dispute: Dispute): Date | null {
  const { status, answerBy, offers } = dispute;
  if (status !== "talking" && status !== "deciding" && status !== "agreed") return null;
  const ends = offers.filter((offer) => offer.status === "open").map(({ until }) => until);
  if (status === "talking") ends.push(answerBy);
  if (status === "deciding" && dispute.questionUntil !== null) ends.push(dispute.questionUntil);
  const agreement = agreementOf(dispute);
  if (status === "agreed" && agreement !== null) ends.push(agreement.until);
  return ends.length === 0 ? null : ends.reduce(earlier);
}

/** What time alone changes by `now`. */
function settleClock(before: Dispute, now: Date, canFail: boolean): Dispute {
  if (before.nextAt === null || before.nextAt > now) return before;
  let dispute = endOffers(before, "expired", ({ until }) => until <= now);
  const agreement = agreementOf(dispute);
  if (canFail && dispute.status === "agreed" && agreement !== null && agreement.until <= now)
    dispute = beginDeciding({ ...dispute, agreement: { ...agreement, failedAt: now } }, agreement.until);
  if (dispute.questionUntil !== null && dispute.questionUntil <= now) dispute = { ...dispute, ...NO_QUESTION };
  if (dispute.status === "talking" && dispute.answerBy <= now) dispute = beginDeciding(dispute, dispute.answerBy);
  return finish(dispute);
}

const endOffers = (
  dispute: Dispute,
  status: OfferState["status"],
  isMeant: (offer: OfferState) => boolean = () => true,
): Dispute => ({
  ...dispute,
  offers: dispute.offers.map((offer) => (offer.status === "open" && isMeant(offer) ? { ...offer, status } : offer)),
});

/** Nobody can accept less than what is bound to the buyer already. */
const endLowerOffers = (dispute: Dispute): Dispute =>
  endOffers(dispute, "expired", ({ total }) => BigInt(total) < BigInt(dispute.refundTotal));

/** The arbiter's time runs from the first time that deciding begins, and no side moves it. */
function beginDeciding(dispute: Dispute, at: Date): Dispute {
  const decidingAt = dispute.decidingAt ?? at;
  const decideBy = dispute.decideBy ?? decideByOf(decidingAt, dispute.resolveBy, dispute);
  return { ...dispute, status: "deciding", decidingAt, decideBy };
}

/** The state after the happening, or the reason why it is refused. */
function follow(dispute: Dispute, happening: Happening, now: Date): Dispute | DisputeChangedReason {
  switch (happening.kind) {
    case "clock":
      return dispute;
    case "reverted":
      return dispute.status === "paused" ? dispute : { ...dispute, ...suspended(dispute), status: "paused" };
    case "landed_again":
      return dispute.status === "paused" ? landAgain(dispute, happening.openedAt, now) : dispute;
    case "refund_bound":
      return endLowerOffers({ ...dispute, refundTotal: happening.refundTotal });
    case "ruled":
      return { ...dispute, ruling: happening.ruling };
    case "outcome_bound":
    case "paid_out":
      return end(dispute, happening);
    case "outcome_reverted":
      if (dispute.status !== "decided" && dispute.status !== "closed") return dispute;
      return { ...resume(dispute, now), ruling: happening.isRuled ? dispute.ruling : null };
    default:
      return act(dispute, happening, now);
  }
}

/** The status to which a fork may return the dispute. */
const suspended = (dispute: Dispute) => ({
  resumesAs: dispute.resumesAs ?? (dispute.status as OpenStatus),
  closedAt: null,
});

/** The dispute as it was. Its end closed the offers that were open then; those that can still be accepted are open again. */
const resume = (dispute: Dispute, now: Date): Dispute => {
  const { agreement, offers, resumesAs } = dispute;
  const isMeant = ({ id, side, status, until }: OfferState) =>
    status === "expired" && until > now && offers.findLast((one) => one.side === side)?.id === id;
  return endLowerOffers({
    ...{ ...dispute, status: resumesAs ?? "talking", resumesAs: null, closedAt: null },
    agreement: agreement && { ...agreement, executedAt: null },
    offers: offers.map((offer) => (isMeant(offer) ? { ...offer, status: "open" } : offer)),
  });
};

/** All clocks begin anew. */
function landAgain(paused: Dispute, openedAt: Date, now: Date): Dispute {
  const clocks = clocksFrom(openedAt, now, paused);
  const { agreement } = paused;
  const isLive = agreement !== null && agreement.failedAt === null;
  return {
    ...resume(paused, now),
    ...clocks,
    ...askAgain(paused, clocks.resolveBy, now),
    ...(paused.decidingAt === null ? {} : { decidingAt: now, decideBy: decideByOf(now, clocks.resolveBy, paused) }),
    ...(isLive
      ? { agreement: { ...agreement, executedAt: null, until: agreementEnd(now, { ...paused, ...clocks }) } }
      : {}),
  };
}

const agreementEnd = (now: Date, { agreementDays, resolveBy }: Pick<Dispute, "agreementDays" | "resolveBy">): Date =>
  earlier(after(now, agreementDays * DAY_MS), resolveBy);

/**
 * The end by the chain: a ruling decides, and closes once both parts have left; every other outcome leaves nothing open,
 * and neither does a payment that has ended without the dispute that a fork took.
 */
function end(dispute: Dispute, happening: Happening & { readonly kind: "outcome_bound" | "paid_out" }): Dispute {
  if (dispute.status === "closed") return dispute;
  if (dispute.status === "paused")
    return happening.kind === "paid_out"
      ? { ...endOffers(dispute, "expired"), status: "closed", closedAt: happening.at }
      : dispute;
  const { agreement } = dispute;
  const isAgreed =
    agreement !== null && agreement.failedAt === null && agreement.total === dispute.refundTotal && agreement;
  const ended: Dispute = {
    ...endOffers(dispute, "expired"),
    ...suspended(dispute),
    agreement: isAgreed ? { ...agreement, executedAt: agreement.executedAt ?? happening.at } : agreement,
  };
  if (happening.kind === "paid_out") return { ...ended, status: "closed", closedAt: happening.at };
  if (happening.outcome === "resolved") return { ...ended, status: "decided" };
  // After a ruling, the recipient alone can give back more. A ruling that another outcome overtook has not landed.
  const ruling = happening.outcome === "refunded_by_recipient" ? ended.ruling : null;
  return { ...ended, ruling, status: "closed", closedAt: happening.at };
}

/** An act of a side. The order of the checks is the order of the refusals. */
function act(dispute: Dispute, happening: ActHappening, now: Date): Dispute | DisputeChangedReason {
  const { status } = dispute;
  if (status === "paused" || status === "decided" || status === "closed") return status;
  switch (happening.kind) {
    case "opening": {
      if (dispute.reason !== "not_given") return "already_given";
      const said = makeStatement(dispute, "buyer", now);
      if (typeof said === "string") return said;
      const { reason, requestedTotal } = happening;
      return { ...said, reason, requestedTotal };
    }
    case "statement":
      return makeStatement(dispute, happening.side, now);
    case "file":
      return sendFile(dispute, happening.side, now);
    case "offer":
      return makeOffer(dispute, happening.offer, now);
    case "offer_withdrawn":
      return endOffer(dispute, happening.offer, happening.side, "withdrawn");
    case "offer_declined":
      return endOffer(dispute, happening.offer, otherSide(happening.side), "declined");
    case "offer_accepted":
      return acceptOffer(dispute, happening.offer, happening.side, now);
    case "arbiter_asked":
      return askArbiter(dispute, happening.side, now);
    case "question":
      return ask(dispute, happening.side, now);
  }
}

/** True if a side may write now: while the arbiter decides, when asked, or once as an answer to the other's last word. */
export function mayWrite(dispute: Dispute, side: Side, now: Date): boolean {
  if (dispute.status === "talking" || dispute.status === "agreed") return true;
  if (isAsked(dispute, now)) return true;
  return (
    dispute.status === "deciding" &&
    dispute.lastWordBy === otherSide(side) &&
    now <= after(dispute.lastWordAt, REPLY_MS) &&
    !dispute[`${side}WroteLate`]
  );
}

/** The time until which a side has its one answer to the other's last word, while the arbiter decides; null: it has none. */
export const lastAnswerUntil = (dispute: Dispute, side: Side, now: Date): Date | null =>
  dispute.status === "deciding" && !isAsked(dispute, now) && mayWrite(dispute, side, now)
    ? after(dispute.lastWordAt, REPLY_MS)
    : null;

/** The side has the last word. Within the last hours of talking, the other side gets time to answer. */
function speak(dispute: Dispute, side: Side, now: Date): Dispute | DisputeChangedReason {
  if (!mayWrite(dispute, side, now)) return "not_your_turn";
  const said = { ...dispute, lastWordBy: side, lastWordAt: now };
  if (isAsked(dispute, now)) return reply(said, side);
  if (dispute.status === "deciding") return { ...said, [`${side}WroteLate`]: true };
  if (dispute.status !== "talking") return said;
  const bound = after(dispute.openedAt, ANSWER_MS_MAX);
  return { ...said, answerBy: later(dispute.answerBy, earlier(bound, after(now, REPLY_MS))) };
}

function makeStatement(dispute: Dispute, side: Side, now: Date): Dispute | DisputeChangedReason {
  const said = speak(dispute, side, now);
  if (typeof said === "string") return said;
  const count = dispute[`${side}Statements`] + 1;
  if (count > STATEMENTS_MAX) return "limit_reached";
  const day = dayOf(now);
  const ofDay = dispute[`${side}Day`] === day ? dispute[`${side}OfDay`] + 1 : 1;
  if (ofDay > STATEMENTS_A_DAY_MAX) return "daily_limit_reached";
  return { ...said, [`${side}Statements`]: count, [`${side}Day`]: day, [`${side}OfDay`]: ofDay };
}

/** A file is a word of its side. While the arbiter decides, it may also follow the side's own word for a while. */
function sendFile(dispute: Dispute, side: Side, now: Date): Dispute | DisputeChangedReason {
  const follows =
    dispute.status === "deciding" &&
    dispute.lastWordBy === side &&
    dispute[`${side}WroteLate`] &&
    now <= after(dispute.lastWordAt, FILE_AFTER_WORD_MS);
  const said = follows ? dispute : speak(dispute, side, now);
  if (typeof said === "string") return said;
  const count = dispute[`${side}Files`] + 1;
  return count > FILES_MAX ? "limit_reached" : { ...said, [`${side}Files`]: count };
}

/** True if a side may send a file now. */
export const maySendFile = (dispute: Dispute, side: Side, now: Date): boolean =>
  advance(dispute, { kind: "file", side }, now).ok;

/** An offer replaces the open one of its side. */
function makeOffer(dispute: Dispute, offer: OfferState, now: Date): Dispute | DisputeChangedReason {
  const { side } = offer;
  if (dispute.status === "agreed") return "agreed";
  if (BigInt(offer.total) < BigInt(dispute.refundTotal)) return "refund_exceeds";
  if (dispute[`${side}Offers`] >= OFFERS_MAX) return "limit_reached";
  // An offer without a text is always possible while the arbiter decides: it is what an agreement needs.
  const isWord = dispute.status === "talking" || offer.text !== null;
  const said = isWord ? speak(dispute, side, now) : dispute;
  if (typeof said === "string") return said;
  const replaced = endOffers(said, "replaced", (one) => one.side === side);
  return { ...replaced, [`${side}Offers`]: dispute[`${side}Offers`] + 1, offers: [...replaced.offers, offer] };
}

const openOffer = (dispute: Dispute, id: string, side: Side): OfferState | null =>
  dispute.offers.find((offer) => offer.id === id && offer.side === side && offer.status === "open") ?? null;

const withOffer = (dispute: Dispute, changed: OfferState): Dispute => ({
  ...dispute,
  offers: dispute.offers.map((offer) => (offer.id === changed.id ? changed : offer)),
});

function endOffer(dispute: Dispute, id: string, side: Side, status: "withdrawn" | "declined") {
  const offer = openOffer(dispute, id, side);
  return offer === null ? "offer_not_open" : withOffer(dispute, { ...offer, status });
}

/** The other side accepts, and both have bound themselves. The other offers end with it. */
function acceptOffer(dispute: Dispute, id: string, side: Side, now: Date): Dispute | DisputeChangedReason {
  const offer = openOffer(dispute, id, otherSide(side));
  if (offer === null) return "offer_not_open";
  if (dispute.agreement !== null) return "agreement_failed";
  if (BigInt(offer.total) < BigInt(dispute.refundTotal)) return "refund_exceeds";
  return {
    ...endOffers(withOffer(dispute, { ...offer, acceptedAt: now, status: "accepted" }), "replaced"),
    status: "agreed",
    agreement: {
      businessId: dispute.businessId,
      disputeId: dispute.id,
      offerId: offer.id,
      total: offer.total,
      until: agreementEnd(now, dispute),
      buyerSignedAt: offer.side === "buyer" ? offer.createdAt : now,
      merchantGivenAt: offer.side === "merchant" ? offer.createdAt : now,
      agreedAt: now,
      failedAt: null,
      executedAt: null,
    },
  };
}

function askArbiter(dispute: Dispute, side: Side, now: Date): Dispute | DisputeChangedReason {
  if (dispute.status !== "talking") return dispute.status;
  if (dispute[`${side}AskedAt`] !== null) return "already_asked";
  const asked = { ...dispute, [`${side}AskedAt`]: now };
  return dispute[`${otherSide(side)}AskedAt`] === null ? asked : beginDeciding(asked, now);
}
