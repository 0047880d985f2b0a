import { type Html, html } from "../../../edge/html/page.ts";
import { type Dispute, missingSteps, rulingOf, type Side } from "../../disputes/dispute.ts";
import { isAwaited } from "../../disputes/question.ts";
import { earlier } from "../../disputes/waits.ts";
import { showTime } from "../page/protection.ts";
import { timeLeftText } from "../page/text.ts";
import type { CalendarDate } from "../receipt/calendar.ts";
import type { CaseCatalogue } from "./catalogue.ts";
import { ENGLISH } from "./english.ts";
import type { CaseContent } from "./view.ts";

/** True while the buyer has opened the dispute and has not said why. */
export const isUnsaid = ({ status, reason }: Dispute): boolean => status === "talking" && reason === "not_given";

/** True if the buyer's release is what both sides agreed, and nothing of the shop's part is missing before it. */
export const isReleaseAgreed = (dispute: Dispute): boolean =>
  dispute.status === "agreed" && !missingSteps(dispute).includes("refund");

/**
 * The side that is to act, as the buyer reads it: who was asked and has not answered is told so, whoever else was asked, and
 * so is who has not said what is wrong.
 */
const turnFor = (dispute: Dispute, now: Date): Dispute["turn"] =>
  isUnsaid(dispute) || (isAwaited(dispute, now) && dispute.buyerToAnswer) ? "buyer" : dispute.turn;

/** The time at which talking ended; null while it goes on, or where nobody knows. */
function talkEndOf(dispute: Dispute): Date | null {
  const { status, answerBy, decidingAt, agreement, closedAt } = dispute;
  if (status === "talking" || status === "paused") return null;
  const ends = [decidingAt, agreement?.agreedAt, rulingOf(dispute)?.ruledAt, closedAt];
  return ends.reduce<Date>((first, end) => (end == null ? first : earlier(first, end)), answerBy);
}

/** The time until which a side can act; null: none runs. */
function untilOf(
  { status, answerBy, decideBy, questionUntil, agreement }: Dispute,
  turn: Dispute["turn"],
): Date | null {
  if (status === "talking") return answerBy;
  if (status === "deciding") return turn === "arbiter" ? decideBy : questionUntil;
  return status === "agreed" ? (agreement?.until ?? null) : null;
}

const isOver = ({ status }: Dispute): boolean => status === "decided" || status === "closed";

function silenceOf(
  { silence }: CaseCatalogue,
  dispute: Dispute,
  turn: Dispute["turn"],
  askedSide: Side | null,
): string {
  const { status } = dispute;
  if (isUnsaid(dispute)) return silence.unsaid;
  if (status === "talking") return turn === "buyer" ? silence.talkingBuyer : silence.talkingMerchant;
  if (status === "agreed") return turn === "buyer" ? silence.agreedBuyer : silence.agreedMerchant;
  if (status === "deciding" && turn !== "arbiter") {
    if (askedSide !== null && turn !== askedSide) return turn === "buyer" ? silence.replyBuyer : silence.replyMerchant;
    if (askedSide !== null) return turn === "buyer" ? silence.askedBuyerAlone : silence.askedMerchantAlone;
    return turn === "buyer" ? silence.askedBuyer : silence.askedMerchant;
  }
  return silence[status];
}

/** The dates ahead, for the buyer's calendar: the end of the turn, and that of the arbiter's time. */
export function datesOf(
  texts: CaseCatalogue,
  { dispute, questions }: Pick<CaseContent, "dispute" | "questions">,
  now: Date,
  title: string,
): CalendarDate[] {
  const turn = turnFor(dispute, now);
  const until = untilOf(dispute, turn);
  const { lapse, lapseText } = texts.track;
  const all = [
    ...(until === null
      ? []
      : [
          {
            id: "turn",
            at: until,
            title: `${title}: ${texts.dates[turn]}`,
            text: silenceOf(texts, dispute, turn, questions.at(-1)?.askedSide ?? null),
          },
        ]),
    ...(isOver(dispute) || dispute.status === "paused"
      ? []
      : [{ id: "lapse", at: dispute.resolveBy, title: `${title}: ${lapse}`, text: `${lapse} ${lapseText}` }]),
  ];
  return all.filter(({ at }) => at > now);
}

/** The way to hear of the next step, for a buyer to whom no emails go. */
export function showLook(
  texts: CaseCatalogue,
  dispute: Dispute,
  now: Date,
  path: string,
  hasEmails: boolean,
): Html | null {
  const until = untilOf(dispute, turnFor(dispute, now));
  if (isOver(dispute) || until === null || until <= now) return null;
  return html`<p class="under">${hasEmails ? null : html`<span id="nobody-writes">${texts.nobodyWrites} ${showTime(ENGLISH, until)}. </span>`}<a href="${path}/calendar">${texts.calendar}</a></p>`;
}

/** Whose turn it is, until when, what follows from silence, and the dates of the dispute. `askedSide`: of the last question. */
export function showTurn(texts: CaseCatalogue, dispute: Dispute, now: Date, askedSide: Side | null = null): Html {
  const { status, openedAt, answerBy, decideBy, resolveBy } = dispute;
  const turn = turnFor(dispute, now);
  const until = untilOf(dispute, turn);
  const talkEnd = talkEndOf(dispute);
  const left = until === null ? 0 : until.getTime() - now.getTime();
  const ruling = rulingOf(dispute);
  const at = (name: typeof status) => (status === name ? "now" : "ahead");
  const state = html`<div class="state ${turn === "buyer" ? "wait" : "info"}"><span class="mark" aria-hidden="true"></span><h2>${texts.turns[turn]}${
    until === null ? null : html` ${texts.until} ${showTime(ENGLISH, until)}`
  }</h2>${
    until === null || left <= 0
      ? null
      : html`<p class="num"><time id="left" datetime="${until.toISOString()}" data-left="${String(left)}">${timeLeftText(ENGLISH, left)}</time></p>`
  }<p>${silenceOf(texts, dispute, turn, askedSide)}</p></div>`;
  // The clocks of a dispute whose opening is gone begin anew.
  if (status === "paused") return state;
  return html`${state}
<ol class="line">
<li class="done"><b>${texts.track.opened}</b><span>${showTime(ENGLISH, openedAt)}. ${texts.track.openedText}</span></li>
<li class="${status === "talking" ? "now" : "done"}"><b>${talkEnd === null ? texts.track.talk : texts.track.talked}</b><span>${texts.until} ${showTime(ENGLISH, talkEnd ?? answerBy)}</span></li>
${
  isOver(dispute)
    ? ruling === null
      ? null
      : html`<li class="done"><b>${texts.track.decided}</b><span>${showTime(ENGLISH, ruling.ruledAt)}</span></li>`
    : html`<li class="${at("deciding")}"><b>${texts.track.decide}</b><span>${decideBy === null ? texts.track.decideLater : html`${texts.until} ${showTime(ENGLISH, decideBy)}`}</span></li>
<li class="ahead"><b>${texts.track.lapse}</b><span>${texts.track.from} ${showTime(ENGLISH, resolveBy)} ${texts.track.lapseText}</span></li>`
}
</ol>`;
}
