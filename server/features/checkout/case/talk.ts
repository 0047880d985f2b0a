import { gainText } from "@holdfast/ui/amount.ts";
import { questionState, silentOn, stepsOf, unansweredBy } from "@holdfast/ui/disputeStatus.ts";
import { filled, type Html, html } from "../../../edge/html/page.ts";
import { type Dispute, type OfferState, rulingOf } from "../../disputes/dispute.ts";
import { canBothWrite, isAsked } from "../../disputes/question.ts";
import type { CaseCatalogue } from "../languages/language.ts";
import { showTime } from "../page/protection.ts";
import type { ReceiptView } from "../receipt/receipt.ts";
import type { CaseContent } from "./view.ts";

/** Names an amount of the payment's token. */
export type ShowAmount = (amount: string) => string;

interface Entry {
  readonly at: Date;
  readonly side: "buyer" | "merchant" | "arbiter";
  /** What the author did, with a slot for the time. */
  readonly says: string;
  readonly body: Html;
}

/** What was said and offered, the oldest first, as both sides and the arbiter read it. */
export function showTalk(texts: CaseCatalogue, view: ReceiptView, content: CaseContent, inWords: ShowAmount): Html {
  const { dispute, statements, files, questions } = content;
  const first = statements.find(({ side }) => side === "buyer");
  const said = statements.map(
    (one): Entry => ({
      at: one.createdAt,
      side: one.side,
      says: texts.said.wrote,
      body: html`${showText(texts, one)}${one === first && dispute.reason !== "not_given" ? showAsked(texts, dispute, inWords) : null}${
        one.side === "merchant" && one.text !== null ? showWarning(texts, one.text) : null
      }`,
    }),
  );
  const offered = dispute.offers.map(
    (offer): Entry => ({
      ...{ at: offer.createdAt, side: offer.side, says: texts.said.offered },
      body: showOffer(texts, dispute, offer, inWords),
    }),
  );
  // A file is a word of its side, an offer is one only with a sentence.
  const written = [
    ...said,
    ...dispute.offers.filter(({ text }) => text !== null).map(({ side, createdAt: at }) => ({ side, at })),
    ...files.map(({ side, createdAt: at }) => ({ side, at })),
  ];
  const endedAt = rulingOf(dispute)?.ruledAt ?? dispute.closedAt;
  const asked = questions.map(
    (question): Entry => ({
      at: question.askedAt,
      side: "arbiter",
      says: texts.said.asked[question.askedSide ?? "both"],
      body: html`${showText(texts, question)}<p class="under">${showQuestionTime(texts, dispute, { until: question.until, isAnswered: unansweredBy(question, written) === null }, view.now)}${showSilence(texts, silentOn(question, written, { now: view.now, endedAt }))}</p>`,
    }),
  );
  const entries = [...said, ...offered, ...asked].sort((a, b) => a.at.getTime() - b.at.getTime());
  const who = { buyer: texts.you, merchant: showShop(texts, view), arbiter: texts.arbiter };
  const by = (side: Entry["side"], says: string, at: Date): Html =>
    html`<div class="by"><b>${who[side]}</b> <span>${filled(says, { time: showTime(texts.page, at) })}</span></div>`;
  return html`<ol class="talk">
<li class="buyer">${by("buyer", texts.said.opened, dispute.openedAt)}</li>
${entries.map(
  ({ at, side, says, body }) =>
    html`<li class="${side}">${by(side, says, at)}
${body}</li>`,
)}</ol>`;
}

/** Until when those who were asked can answer a question, or could, whether they did, and whether the decision came before. */
function showQuestionTime(
  { questions, page }: CaseCatalogue,
  dispute: Dispute,
  { until, isAnswered }: { readonly until: Date; readonly isAnswered: boolean },
  now: Date,
): Html {
  const ruledAt = rulingOf(dispute)?.ruledAt ?? null;
  const openUntil = isAsked(dispute, now) ? dispute.questionUntil : null;
  const [time, decided] = [until, ruledAt ?? until].map((at) => showTime(page, at)) as [Html, Html];
  const state = questionState(until, { openUntil, ruledAt, isAnswered, canBothWrite: canBothWrite(dispute, now) });
  return filled(questions[state], { time, decided });
}

const showSilence = ({ unanswered }: CaseCatalogue, silent: ReturnType<typeof silentOn>): string =>
  silent === null ? "" : ` ${unanswered[silent]}`;

/** A text of a party, or the time at which it was erased. */
const showText = (
  texts: CaseCatalogue,
  { text, erasedAt }: { readonly text: string | null; readonly erasedAt: Date | null },
): Html =>
  erasedAt === null
    ? html`<p class="text" dir="auto">${text}</p>`
    : html`<p class="under">${filled(texts.erasedAt, { time: showTime(texts.page, erasedAt) })}</p>`;

export const showShop = (texts: CaseCatalogue, { mine }: ReceiptView): Html | string =>
  mine === null ? texts.shop : html`<bdi translate="no">${mine.business.name}</bdi>`;

/** Characters that a word can hide behind. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const asksForRelease = (text: string): boolean =>
  /\b(?:releas|withdraw)/i.test(text.normalize("NFKC").replaceAll(UNSEEN, ""));

/** The warning below texts of the shop, also those of an offer, that ask the buyer to give up first. */
const showWarning = (texts: CaseCatalogue, text: string): Html | null =>
  asksForRelease(text) ? html`<p class="note wait">${texts.releaseAsked}</p>` : null;

const showAsked = (texts: CaseCatalogue, { reason, requestedTotal }: Dispute, inWords: ShowAmount): Html =>
  html`<p class="asked">${reason === "not_given" ? null : `${texts.page.reasonNames[reason]}. `}${requestedTotal === null ? null : texts.asked(inWords(requestedTotal))}</p>`;

function showOffer(
  texts: CaseCatalogue,
  { amount, status: caseStatus, agreement, refundTotal }: Dispute,
  offer: OfferState,
  inWords: ShowAmount,
): Html {
  const { id, side, total, text, until, status } = offer;
  const rest = (BigInt(amount) - BigInt(total)).toString();
  const share = Number((BigInt(total) * 10_000n) / BigInt(amount)) / 100;
  // What an offer that is over would have moved depends on what was bound then: it names its total alone.
  const gain = status === "open" ? gainText(texts, total, refundTotal, inWords) : inWords(total);
  const canAct = status === "open" && (caseStatus === "talking" || caseStatus === "deciding");
  return html`${text === null ? null : html`<p class="text" dir="auto">${text}</p>${side === "merchant" ? showWarning(texts, text) : null}`}<div class="offer ${status}"><h3>${side === "buyer" ? texts.offerOfYou : texts.offerOfShop} <span class="tag">${texts.offerStatuses[status]}</span></h3>
<svg class="split" aria-hidden="true"><rect class="buyer" width="${String(share)}%" height="100%"/><rect class="shop" x="${String(share)}%" width="${String(100 - share)}%" height="100%"/></svg>
<p class="ends"><span><b class="num" dir="${gain === inWords(total) ? "ltr" : texts.page.direction}">${gain}</b> ${texts.toYou}</span><span><b class="num" translate="no" dir="ltr">${inWords(rest)}</b> ${texts.toShop}</span></p>
${status === "open" ? html`<p class="under">${filled(texts.openUntil, { time: showTime(texts.page, until) })}</p>` : null}
${canAct && side === "merchant" && agreement === null ? showChoice(texts, id, gain, stepsOf(total, { amount, refundTotal })) : null}
${canAct && side === "buyer" ? html`<div class="acts needs-script"><button class="plain" type="button" data-case="withdraw" data-offer="${id}">${texts.offering.withdraw}</button></div>` : null}</div>`;
}

const showChoice = (texts: CaseCatalogue, id: string, amount: string, steps: ReturnType<typeof stepsOf>): Html =>
  html`<div class="acts needs-script"><button class="act first" type="button" id="accept" data-case="accept" data-offer="${id}"><b>${texts.accept(amount)}</b><span>${texts.acceptTexts[steps]}</span></button><button class="plain" type="button" data-case="decline" data-offer="${id}">${texts.offering.decline}</button></div>`;
