import { type Html, html } from "../../../edge/html/page.ts";
import { type Dispute, rulingOf } from "../../disputes/dispute.ts";
import { ENGLISH } from "../page/catalogue.ts";
import { showTime } from "../page/protection.ts";
import { timeLeftText } from "../page/text.ts";
import type { CaseCatalogue } from "./catalogue.ts";

/** The time until which a side can act; null: none runs. */
function untilOf({ status, turn, answerBy, decideBy, questionUntil, agreement }: Dispute): Date | null {
  if (status === "talking") return answerBy;
  if (status === "deciding") return turn === "arbiter" ? decideBy : questionUntil;
  return status === "agreed" ? (agreement?.until ?? null) : null;
}

function silenceOf({ silence }: CaseCatalogue, { status, turn }: Dispute): string {
  if (status === "talking") return turn === "buyer" ? silence.talkingBuyer : silence.talkingMerchant;
  if (status === "agreed") return turn === "buyer" ? silence.agreedBuyer : silence.agreedMerchant;
  if (status === "deciding" && turn !== "arbiter") return turn === "buyer" ? silence.askedBuyer : silence.askedMerchant;
  return silence[status];
}

/** Whose turn it is, until when, what follows from silence, and the dates of the case. */
export function showTurn(texts: CaseCatalogue, dispute: Dispute, now: Date): Html {
  const { status, turn, openedAt, answerBy, decideBy, resolveBy } = dispute;
  const until = untilOf(dispute);
  const left = until === null ? 0 : until.getTime() - now.getTime();
  const ruling = rulingOf(dispute);
  const isOver = status === "decided" || status === "closed";
  const at = (name: typeof status) => (status === name ? "now" : "ahead");
  return html`<div class="state ${turn === "buyer" ? "wait" : "info"}"><span class="mark" aria-hidden="true"></span><h2>${texts.turns[turn]}${
    until === null ? null : html` ${texts.until} ${showTime(ENGLISH, until)}`
  }</h2>${
    until === null || left <= 0
      ? null
      : html`<p class="num"><time id="left" datetime="${until.toISOString()}" data-left="${String(left)}">${timeLeftText(ENGLISH, left)}</time></p>`
  }<p>${silenceOf(texts, dispute)}</p></div>
<ol class="line">
<li class="done"><b>${texts.track.opened}</b><span>${showTime(ENGLISH, openedAt)}. ${texts.track.openedText}</span></li>
<li class="${status === "talking" ? "now" : "done"}"><b>${texts.track.talk}</b><span>${texts.until} ${showTime(ENGLISH, answerBy)}</span></li>
${
  isOver
    ? ruling === null
      ? null
      : html`<li class="done"><b>${texts.track.decided}</b><span>${showTime(ENGLISH, ruling.ruledAt)}</span></li>`
    : html`<li class="${at("deciding")}"><b>${texts.track.decide}</b><span>${decideBy === null ? texts.track.decideLater : html`${texts.until} ${showTime(ENGLISH, decideBy)}`}</span></li>
<li class="ahead"><b>${texts.track.lapse}</b><span>${texts.track.from} ${showTime(ENGLISH, resolveBy)} ${texts.track.lapseText}</span></li>`
}
</ol>`;
}
