import { filled, type Html, html } from "../../../edge/html/page.ts";
import type { ReceiptCatalogue } from "../languages/language.ts";
import { showCopyable, showFolded } from "../page/address.ts";
import { showTime } from "../page/protection.ts";
import { explorerLink } from "./details.ts";
import type { ReceiptView, ShownDecision } from "./receipt.ts";
import { sumsOf } from "./story.ts";

/**
 * The arbiter's decision (§17.4): both amounts, the reasons, who ruled, when, and the hash. The receipt and the dispute's page show it;
 * `below` ends it.
 */
export function showDecision(texts: ReceiptCatalogue, view: ReceiptView, below: Html | null = null): Html | null {
  const { decision, arbiterLabel, payment } = view;
  if (decision === null) return null;
  const { show, amount, back, backDue } = sumsOf(texts, view);
  const total = BigInt(decision.total);
  const row = (name: string, value: Html) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const address = showFolded(decision.arbiter);
  const name = decision.arbiter === payment.arbiter ? arbiterLabel.name : null;
  return html`<section class="decision"><h2>${texts.decision.title}</h2>
<p class="ends"><span><b class="num" translate="no" dir="ltr">${show(total)}</b> ${texts.decidedToYou}</span><span><b class="num" translate="no" dir="ltr">${show(amount - total)}</b> ${texts.decidedToShop}</span></p>
${back + backDue > total ? html`<p>${texts.decidedMore(show(back + backDue))}</p>` : null}
${showReasons(texts, decision)}
<dl class="facts">
${row(texts.decision.arbiter, name === null ? address : html`<bdi translate="no">${name}</bdi> ${address}`)}
${row(texts.decision.time, showTime(texts.page, decision.ruledAt))}
${row(texts.decision.transaction, html`${showCopyable(decision.transaction, texts.copyAddress)}${explorerLink(texts, view, "tx", decision.transaction)}`)}
${decision.sha256 === null ? null : row(texts.decision.hash, showCopyable(decision.sha256, texts.copyAddress))}
</dl>${below}</section>`;
}

function showReasons(texts: ReceiptCatalogue, { memo, record, erasedAt }: ShownDecision): Html {
  if (memo !== "record") return html`<p>${texts.decision.elsewhere} ${texts.decision.memos[memo]}</p>`;
  if (erasedAt !== null) return html`<p>${filled(texts.reasonsErased, { time: showTime(texts.page, erasedAt) })}</p>`;
  if (record === null) return html`<p>${texts.decidedWithReasons}</p>`;
  return record.reasons === null
    ? html`<p>${texts.decision.agreed}</p>`
    : html`<p class="text" dir="auto">${record.reasons}</p>`;
}
