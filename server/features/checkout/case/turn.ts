import { gainText } from "@holdfast/ui/amount.ts";
import {
  canWriteToo,
  endsWithLapse,
  isDecisionLate,
  isLapsed,
  isOverdue,
  isUnsaid,
  lastPartLeftAt,
  type Reading,
  statusLine,
  trackOf,
  untilOf,
  writingUntil,
} from "@holdfast/ui/disputeStatus.ts";
import { filled, type Html, html } from "../../../edge/html/page.ts";
import { lastAnswerUntil } from "../../disputes/advance.ts";
import { agreementOf, type Dispute, missingSteps, rulingOf, type Side } from "../../disputes/dispute.ts";
import { canBothWrite, hasWordsBefore, isAsked, isAwaited } from "../../disputes/question.ts";
import type { CaseCatalogue } from "../languages/language.ts";
import { showTime } from "../page/protection.ts";
import { timeLeftText } from "../page/text.ts";
import type { CalendarDate } from "../receipt/calendar.ts";
import type { ReceiptView } from "../receipt/receipt.ts";
import type { ShowAmount } from "./talk.ts";
import type { CaseContent } from "./view.ts";

/** True if the buyer's release is what both sides agreed, and nothing of the shop's part is missing before it. */
export const isReleaseAgreed = (dispute: Dispute): boolean =>
  dispute.status === "agreed" && !missingSteps(dispute).includes("refund");

const isUnsaidOf = (dispute: Dispute): boolean => isUnsaid(dispute, dispute.buyerStatements > 0);

/**
 * The side that is to act, as the buyer reads it: who was asked and has not answered is told so, whoever else was asked, and
 * so is who has not said what is wrong.
 */
const turnFor = (dispute: Dispute, now: Date): Dispute["turn"] =>
  isUnsaidOf(dispute) || (isAwaited(dispute, now) && dispute.buyerToAnswer) ? "buyer" : dispute.turn;

/** The texts of the status line, as the buyer reads them. `askedSide`: of the arbiter's last question. */
function lineOf(texts: CaseCatalogue, dispute: Dispute, turn: Dispute["turn"], askedSide: Side | null, now: Date) {
  const { status, agreement } = dispute;
  const reading: Reading = {
    ...{ status, reader: "buyer", turn, askedSide },
    hasFailed: agreement !== null && agreementOf(dispute) === null,
    isOverdue: isOverdue(dispute, turn, now),
    isLapsed: isLapsed(dispute, now),
    endsWithLapse: endsWithLapse(dispute),
    canWrite:
      (status === "talking" || isAsked(dispute, now)) && hasWordsBefore(dispute, "buyer", now, untilOf(dispute, turn)),
  };
  const { head, silence } = statusLine(reading);
  const text = isUnsaidOf(dispute) ? texts.unsaid : texts.silence[silence];
  return { head: texts.head[head], silence: canWriteToo(reading) ? `${text} ${texts.writeToo}` : text };
}

/** The dates ahead, for the buyer's calendar: the end of the turn, and that of the arbiter's time. */
export function datesOf(
  texts: CaseCatalogue,
  { dispute, questions }: Pick<CaseContent, "dispute" | "questions">,
  now: Date,
  title: string,
): CalendarDate[] {
  const turn = turnFor(dispute, now);
  if (turn === "nobody") return [];
  const until = untilOf(dispute, turn);
  const { silence } = lineOf(texts, dispute, turn, questions.at(-1)?.askedSide ?? null, now);
  const lapse = texts.track.lapse.title;
  const all = [
    ...(until === null ? [] : [{ id: "turn", at: until, title: `${title}: ${texts.dates[turn]}`, text: silence }]),
    { id: "lapse", at: dispute.resolveBy, title: `${title}: ${lapse}`, text: texts.lapseDate },
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
  const turn = turnFor(dispute, now);
  const [kind, until] = isOverdue(dispute, turn, now)
    ? (["lapse", dispute.resolveBy] as const)
    : ([turn, untilOf(dispute, turn)] as const);
  if (kind === "nobody" || until === null || until <= now) return null;
  const look = filled(texts.look[kind], { time: showTime(texts.page, until) });
  return html`<p class="under">${hasEmails ? null : html`<span id="nobody-writes">${look} </span>`}<a href="${path}/calendar">${texts.calendar}</a></p>`;
}

/** Whose turn it is, until when, what follows from silence, and the dates of the dispute. `askedSide`: of the last question. */
export function showTurn(
  texts: CaseCatalogue,
  dispute: Dispute,
  now: Date,
  {
    askedSide = null,
    inWords,
    payment,
  }: { readonly askedSide?: Side | null; readonly inWords: ShowAmount } & Pick<ReceiptView, "payment">,
): Html {
  const turn = turnFor(dispute, now);
  const until = untilOf(dispute, turn);
  const left = until === null ? 0 : until.getTime() - now.getTime();
  const { head, silence } = lineOf(texts, dispute, turn, askedSide, now);
  const ruledAt = rulingOf(dispute)?.ruledAt ?? null;
  const writing = writingUntil(dispute, turn, { now, canBothWrite: canBothWrite(dispute, now) });
  const isCarriedOut = dispute.agreement !== null && dispute.agreement.executedAt !== null;
  const times = { agreedAt: dispute.agreement?.agreedAt ?? null, ruledAt, leftAt: lastPartLeftAt(payment) };
  const track = trackOf({ ...dispute, ...times, isCarriedOut, now });
  return html`<div class="state ${turn === "buyer" ? "wait" : "info"}"><span class="mark" aria-hidden="true"></span><h2>${
    until === null ? head : filled(head, { time: showTime(texts.page, until) })
  }</h2>${
    until === null || left <= 0
      ? null
      : html`<p class="num"><time id="left" datetime="${until.toISOString()}" data-left="${String(left)}">${timeLeftText(texts.page, left)}</time></p>`
  }${isAskedByShop(dispute) ? html`<p><b>${filled(texts.asking.othersAsked, { time: showTime(texts.page, dispute.answerBy) })}</b></p>` : null}<p>${showOffered(texts, dispute, inWords)}${silence} ${
    isOverdue(dispute, turn, now) && now < dispute.resolveBy
      ? html`${filled(texts.overdue, { time: showTime(texts.page, dispute.resolveBy) })} `
      : null
  }${writing === null ? null : html`${filled(texts.bothWrite, { time: showTime(texts.page, writing) })} `}${showAnswerOnce(texts, dispute, now)}</p></div>
${
  track.length === 0
    ? null
    : html`<ol class="line">${track.map((one) => {
        const { step, state, at } = one;
        const { title, text } = texts.track[step];
        const later = step === "decide" ? texts.decideLater : "";
        const dated =
          at === null
            ? html`${later}`
            : filled(isDecisionLate(one, now) ? texts.decideOverdue : text, { time: showTime(texts.page, at) });
        return html`<li class="${state}"><b>${title}</b><span>${dated}</span></li>`;
      })}</ol>`
}`;
}

/** True while the shop has asked for the arbiter, and talking goes on. */
const isAskedByShop = ({ status, merchantAskedAt }: Dispute): boolean =>
  status === "talking" && merchantAskedAt !== null;

/** The shop's offer, if the buyer can accept it, and that the shop can accept the buyer's. */
function showOffered(texts: CaseCatalogue, dispute: Dispute, inWords: ShowAmount): string | null {
  const { status, offers, agreement, refundTotal } = dispute;
  if (agreement !== null || (status !== "talking" && status !== "deciding")) return null;
  const open = (side: Side) => offers.find((one) => one.side === side && one.status === "open");
  const offer = open("merchant");
  return `${offer === undefined ? "" : `${texts.offered(gainText(texts, offer.total, refundTotal, inWords))} `}${
    open("buyer") === undefined ? "" : `${texts.ownOffer} `
  }`;
}

/** While the arbiter decides, each side has one answer to the other's last word. */
const showAnswerOnce = (texts: CaseCatalogue, dispute: Dispute, now: Date): Html[] =>
  (
    [
      ["buyer", texts.answerOnce],
      ["merchant", texts.othersAnswerOnce],
    ] as const
  ).flatMap(([side, text]) => {
    const until = lastAnswerUntil(dispute, side, now);
    return until === null || !hasWordsBefore(dispute, side, now, until)
      ? []
      : [filled(text, { time: showTime(texts.page, until) })];
  });
