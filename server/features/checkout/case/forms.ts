import { isLapsed } from "@holdfast/ui/disputeStatus.ts";
import { type Html, html } from "../../../edge/html/page.ts";
import { mayWrite } from "../../disputes/advance.ts";
import {
  type Dispute,
  type DisputeReason,
  STATEMENT_CHARACTERS_MAX,
  type UsualOutcomes,
} from "../../disputes/dispute.ts";
import { hasWordsLeft, isAwaited } from "../../disputes/question.ts";
import type { CaseCatalogue } from "../languages/language.ts";
import { amountText, inOne } from "../page/text.ts";
import type { ReceiptView } from "../receipt/receipt.ts";
import { isReleaseAgreed } from "./turn.ts";
import type { CaseContent } from "./view.ts";

const MAX = String(STATEMENT_CHARACTERS_MAX);

/**
 * The fields to write, offer and ask. The script sends them, and keeps what is typed on this device until then. A form of the
 * method `dialog` outside of a dialog is never sent by the browser, so that before the script nothing that was typed is lost.
 */
export function showForms(
  texts: CaseCatalogue,
  { payment, decimals, now, usualOutcomes }: ReceiptView,
  { dispute }: CaseContent,
): Html | null {
  const { status, reason, buyerStatements, buyerAskedAt, merchantAskedAt, agreement } = dispute;
  if (status === "paused" || status === "decided" || status === "closed" || isLapsed(dispute, now)) return null;
  const { unit } = amountText(texts.page, payment.amount, payment.asset ?? "", decimals);
  const had =
    payment.refundTotal === "0"
      ? null
      : inOne(amountText(texts.page, payment.refundTotal, payment.asset ?? "", decimals));
  const { asking } = texts;
  const [isAllowed, hasWords] = [mayWrite(dispute, "buyer", now), hasWordsLeft(dispute, "buyer")];
  const canWrite = isAllowed && hasWords;
  // A buyer who agreed, or is asked by the arbiter, answers that; whoever has answered goes on by statements and offers.
  const isAsked = status === "agreed" || (isAwaited(dispute, now) && dispute.buyerToAnswer);
  const isOpening = canWrite && reason === "not_given" && buyerStatements === 0 && !isAsked;
  // After an agreement that failed nobody can accept an offer, and nobody is asked to sign one.
  const canOffer = !isOpening && status !== "agreed" && agreement === null;
  return html`<div id="case-forms" class="needs-script">
${isOpening ? showOpening(texts, { unit, had, outcomes: usualOutcomes }) : null}
${canWrite && !isOpening ? showAnswer(texts, dispute) : null}
${canWrite || status === "agreed" ? null : html`<p class="note info">${hasWords ? texts.cannotWrite : texts.silence.spent}</p>`}
${canOffer ? showOffer(texts, dispute, { unit, had, withText: isAllowed }) : null}
${
  status === "talking"
    ? html`<div class="ask">${
        buyerAskedAt === null
          ? html`<details class="way asking"><summary>${asking.ask}</summary><p>${merchantAskedAt === null ? asking.text : asking.textLast}</p>${buyerStatements === 0 ? html`<p><b>${texts.askUnwritten}</b></p>` : null}<button class="plain" type="button" data-case="ask">${texts.askSure}</button></details>`
          : html`<span class="under">${asking.asked}</span>`
      }</div>`
    : null
}
<p id="case-status" class="progress" role="status"></p>
<div id="case-wallets" class="action" hidden></div>
</div>
<p class="without-script note info">${texts.needsScript}</p>`;
}

interface FormAmounts {
  readonly unit: string;
  /** The amount that is bound to the buyer already, in words; null: nothing is. */
  readonly had: string | null;
}

const showHad = (id: string, text: string | null): Html | null =>
  text === null ? null : html`<p class="under num" id="${id}">${text}</p>`;

const describedBy = (id: string, had: string | null): Html | null =>
  had === null ? null : html` aria-describedby="${id}"`;

/** Each reason with its usual outcome, for a dispute that was opened without the receipt's form. */
const showOpening = (
  texts: CaseCatalogue,
  { unit, had, outcomes }: FormAmounts & { readonly outcomes: UsualOutcomes },
): Html =>
  html`<form method="dialog" class="write" data-form="opening"><h3>${texts.opening}</h3><p class="under">${texts.openingText}</p>
<fieldset><legend>${texts.reason}</legend><div class="picks">${Object.entries(texts.page.reasonNames).map(
    ([name, label]) =>
      html`<label class="pick"><input type="radio" name="reason" value="${name}"><b>${label}</b>${showUsual(texts, outcomes[name as DisputeReason])}</label>`,
  )}</div></fieldset>
<div class="field"><label for="text">${texts.text}</label><textarea id="text" maxlength="${MAX}"></textarea></div>
<div class="field"><label for="want">${texts.want(unit)}</label>${showHad("want-had", had === null ? null : texts.wantMore(had))}<input id="want"${describedBy("want-had", had)} type="text" inputmode="decimal" autocomplete="off" class="num"></div>
<button class="pay" type="submit">${texts.sendOpening}</button></form>`;

const showUsual = (texts: CaseCatalogue, outcome: string | undefined): Html | null =>
  outcome === undefined ? null : html`<span>${texts.usualOutcome}: <bdi translate="no">${outcome}</bdi></span>`;

/** Once the shop's refund is bound, as agreed, the release is no promise's price any more. */
const showAnswer = (texts: CaseCatalogue, dispute: Dispute): Html =>
  html`<form method="dialog" class="write" data-form="statement"><div class="field"><label for="text">${texts.answer}</label><p class="under" id="text-hint">${texts.answerText}${isReleaseAgreed(dispute) ? null : ` ${texts.neverRelease}`}</p><textarea id="text" maxlength="${MAX}" aria-describedby="text-hint"></textarea></div>
<button class="tool" type="submit">${texts.sendAnswer}</button></form>`;

const hasOpenOffer = ({ offers }: Dispute): boolean =>
  offers.some(({ side, status }) => side === "buyer" && status === "open");

const showOffer = (
  texts: CaseCatalogue,
  dispute: Dispute,
  { unit, had, withText }: FormAmounts & { readonly withText: boolean },
): Html =>
  html`<details class="way offering"><summary>${texts.offering.make}</summary><form method="dialog" class="write" data-form="offer"><p class="under">${texts.offerText}${hasOpenOffer(dispute) ? ` ${texts.offering.replaces}` : null}</p>
<div class="field"><label for="offer-amount">${texts.offerAmount(unit)}</label>${showHad("offer-had", had === null ? null : texts.offerHas(had))}<input id="offer-amount"${describedBy("offer-had", had)} type="text" inputmode="decimal" autocomplete="off" class="num"></div>
${withText ? html`<div class="field"><label for="offer-text">${texts.offering.sentence}</label><input id="offer-text" type="text" maxlength="500" autocomplete="off"></div>` : null}
<button class="tool" type="submit">${texts.sendOffer}</button></form></details>`;
