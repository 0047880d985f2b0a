import { showTime } from "../../domain/show.ts";
import { lastAnswerUntil, maySendFile, mayWrite } from "./advance.ts";
import { agreementOf, type Dispute, missingSteps, OFFERS_MAX, otherSide, SIDES } from "./dispute.ts";
import { hasWordsBefore, isAsked } from "./question.ts";
import { after, FILE_AFTER_WORD_MS } from "./waits.ts";

export const DISPUTE_ACTIONS = [
  "answer",
  "write",
  "send_file",
  "offer",
  "accept_offer",
  "refund",
  "release",
  "ask_arbiter",
  "resolve",
] as const;
export const DISPUTE_ACTORS = ["buyer", "merchant", "arbiter"] as const;
/** The results of silence, until the time of an action. */
export const OTHERWISE = [
  "goes_to_arbiter",
  "offer_expires",
  "agreement_fails",
  "refunded_to_buyer",
  "nothing",
] as const;

export interface DisputeAction {
  readonly action: (typeof DISPUTE_ACTIONS)[number];
  readonly by: (typeof DISPUTE_ACTORS)[number];
  /** The time from which it is refused or means something else; null if no time ends it. */
  readonly until: Date | null;
  readonly otherwise: (typeof OTHERWISE)[number];
}

/** What each party can do in a dispute now, the expected action first (§4.18.9). */
export function nextActions(dispute: Dispute, now: Date): readonly DisputeAction[] {
  const { status, turn, answerBy, resolveBy } = dispute;
  if (status === "paused" || status === "decided" || status === "closed") return [];
  const talkEnds = { until: status === "talking" ? answerBy : null, otherwise: "goes_to_arbiter" } as const;
  const silence = status === "talking" ? talkEnds : ({ until: resolveBy, otherwise: "refunded_to_buyer" } as const);
  const actions: DisputeAction[] = [];
  if (status === "talking" && (turn === "buyer" || turn === "merchant"))
    actions.push({ action: "answer", by: turn, ...talkEnds });
  const asked = { until: dispute.questionUntil, otherwise: "nothing" } as const;
  const isOpen = isAsked(dispute, now);
  if (isOpen) for (const by of SIDES) if (dispute[`${by}ToAnswer`]) actions.push({ action: "answer", by, ...asked });
  actions.push(...actionsOfAgreement(dispute), ...actionsOnOffers(dispute, now));
  for (const by of SIDES) {
    const canWrite = mayWrite(dispute, by, now);
    const late = lastAnswerUntil(dispute, by, now);
    const ends = status === "talking" ? talkEnds : isOpen ? asked : ({ until: late, otherwise: "nothing" } as const);
    if (canWrite && hasWordsBefore(dispute, by, now, ends.until)) actions.push({ action: "write", by, ...ends });
    // A file that follows the side's own late word has its own end.
    const follows = status === "deciding" && !canWrite ? { until: after(dispute.lastWordAt, FILE_AFTER_WORD_MS) } : {};
    if (maySendFile(dispute, by, now)) actions.push({ action: "send_file", by, ...ends, ...follows });
    if (now < resolveBy && dispute.agreement === null && dispute[`${by}Offers`] < OFFERS_MAX)
      actions.push({ action: "offer", by, ...silence });
    if (status === "talking" && dispute[`${by}AskedAt`] === null)
      actions.push({ action: "ask_arbiter", by, ...talkEnds });
  }
  const isAgreed = status === "agreed";
  if (!isAgreed && BigInt(dispute.refundTotal) < BigInt(dispute.amount))
    actions.push({ action: "refund", by: "merchant", ...silence });
  if (!isAgreed) actions.push({ action: "release", by: "buyer", ...silence });
  if (status !== "talking" && now < resolveBy)
    actions.push({ action: "resolve", by: "arbiter", until: resolveBy, otherwise: "refunded_to_buyer" });
  return actions;
}

function actionsOfAgreement(dispute: Dispute): DisputeAction[] {
  const agreement = agreementOf(dispute);
  const [action] = missingSteps(dispute);
  if (dispute.status !== "agreed" || agreement === null || action === undefined) return [];
  const by = action === "refund" ? "merchant" : "buyer";
  return [{ action, by, until: agreement.until, otherwise: "agreement_fails" }];
}

const actionsOnOffers = (dispute: Dispute, now: Date): DisputeAction[] =>
  dispute.agreement !== null
    ? []
    : dispute.offers
        .filter(({ status, until }) => status === "open" && until > now)
        .map(({ side, until }) => ({ action: "accept_offer", by: otherSide(side), until, otherwise: "offer_expires" }));

export const showDisputeAction = ({ action, by, until, otherwise }: DisputeAction): string =>
  `{"action":"${action}","by":"${by}","until":${showTime(until)},"otherwise":"${otherwise}"}`;
