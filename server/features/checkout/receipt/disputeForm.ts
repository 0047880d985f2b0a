import { DISPUTE_LAPSE_MS, resolveByOf } from "../../../chain/acts.ts";
import { shortAddress } from "../../../domain/addresses.ts";
import { filled, type Html, type HtmlPage, html } from "../../../edge/html/page.ts";
import type { DisputeReason } from "../../disputes/dispute.ts";
import type { DisputeFormCatalogue, Language, ReceiptCatalogue } from "../languages/language.ts";
import { inDispute, pageShell, showLanguages, showLogo, showSiteOperator } from "../page/document.ts";
import { type Step, showJudge, showSteps, showTime } from "../page/protection.ts";
import { amountText, inOne, orderText } from "../page/text.ts";
import type { ReceiptSettings } from "./document.ts";
import { keyOf, pathOf, showReach, showSendBy, showUnlock } from "./panel.ts";
import { actionsOf, isBound, type ReceiptView, stateOf } from "./receipt.ts";
import { receiptData } from "./scriptData.ts";
import { shopOf, sumsOf } from "./story.ts";
import { RECEIPT_STYLES } from "./styles.ts";

/** `open`: a dispute can be opened. `disputed`: one is open. `over`: neither. */
type FormState = "open" | "disputed" | "over";

const formStateOf = (view: ReceiptView): FormState => {
  if (actionsOf(view).includes("dispute")) return "open";
  return stateOf(view) === "disputed" ? "disputed" : "over";
};

/** Data for the script of the form: the receipt's, with the form's texts. */
export const disputeData = (language: Language, ...given: [ReceiptView, boolean]) => ({
  ...receiptData(language, ...given),
  page: "dispute",
  texts: language.disputeForm.script,
});

/**
 * The form to open a dispute. What the buyer writes stays in the browser: nothing here is sent but the transaction, which
 * names the payment alone.
 */
export function disputeFormPage(
  view: ReceiptView,
  settings: Omit<ReceiptSettings, "canSign" | "checkoutUrl">,
): HtmlPage {
  const { disputeForm: texts, receipt, page } = settings.language;
  const { payment, decimals, mine } = view;
  const amount = inOne(amountText(page, payment.amount, payment.asset ?? "", decimals));
  const shop = shopOf(view);
  const state = formStateOf(view);
  const title = texts.title(shop === null ? amount : page.to(amount, shop));
  const body = html`<main class="page dispute" id="checkout" data-state="${stateOf(view)}">
<nav class="crumb"><a href="${pathOf(view)}${keyOf(view)}">${texts.back}</a><span class="num">${showLogo(mine?.business.logo ?? null)}${shop === null ? html`<bdi translate="no">${amount}</bdi>` : page.to(amount, shop)}${
    mine === null ? null : html` · <bdi translate="no">${orderText(page, mine.merchantReference)}</bdi>`
  }</span></nav>
<section class="order">
<div class="state ${state === "disputed" ? "wait" : "info"}"><h1 class="title">${texts[state].title}</h1><p>${showLead(texts, view, state)}${showSendBy(receipt, view)}</p></div>
${showShop(texts, receipt, view, state)}
${showDraft(texts, view, state)}
</section>
<section class="panel" id="panel" aria-label="${state === "open" ? texts.happens : texts.happensNow}">
${state === "over" ? null : showPanel(texts, view, state)}
<p class="note wait lost">${page.script.lost}</p>
</section>
<footer><span>${page.protectedBy}</span>${showSiteOperator(page, settings.siteOperator)}<a href="/pay">${receipt.find}</a>${showLanguages(page, settings.choices)}</footer>
</main>
<p class="unseen" id="live" role="status"></p>`;
  return pageShell(page, title, body, settings.script, RECEIPT_STYLES, inDispute(mine?.business));
}

function showLead(texts: DisputeFormCatalogue, { payment }: ReceiptView, state: FormState): Html {
  const time = state === "open" ? payment.protectionDeadline : state === "disputed" ? payment.disputedAt : null;
  return filled(texts[state].lead, {
    time: time === null ? "–" : html`<b class="num">${showTime(texts.page, time)}</b>`,
  });
}

/** The way to reach the shop: its address with the receipt's key alone. */
function showShop(
  texts: DisputeFormCatalogue,
  receipt: ReceiptCatalogue,
  view: ReceiptView,
  state: FormState,
): Html | null {
  if (state === "over") return null;
  if (view.mine === null)
    return state === "open" ? html`<p class="note info">${texts.askUnknown} ${showUnlock(receipt, view)}</p>` : null;
  return html`<p class="note info">${state === "open" ? texts.ask : null}${showReach(receipt, view)}</p>`;
}

/**
 * The fields of the draft. The script fills them from this device, and keeps them while the rest is replaced. Once no
 * dispute can be opened, they show only what is kept already.
 */
function showDraft(texts: DisputeFormCatalogue, view: ReceiptView, state: FormState): Html {
  const { payment, decimals } = view;
  const left = (BigInt(payment.amount) - BigInt(payment.refundTotal)).toString();
  const { unit } = amountText(texts.page, left, payment.asset ?? "", decimals);
  const reasons = Object.entries(texts.reasons).map(
    ([name, [title, text, tips]]) =>
      html`<label class="pick"><input type="radio" name="reason" value="${name}"><b>${title}</b><span>${text}</span><ul>${tips.map(
        (tip) => html`<li>${tip}</li>`,
      )}${showUsual(texts, view.usualOutcomes[name as DisputeReason])}</ul></label>`,
  );
  return html`<div id="draft" class="needs-script${state === "over" ? " kept-only" : ""}">
<fieldset><legend>${texts.reason}</legend><p class="under">${texts.reasonText}</p><div class="picks">${reasons}</div></fieldset>
<div class="field"><label for="text">${texts.text}</label><p class="under" id="text-hint">${texts.textHint}</p>
<textarea id="text" maxlength="${String(texts.textMax)}" aria-describedby="text-hint text-count"></textarea>
<p class="count"><span id="draft-status" role="status"></span><span class="num" id="text-count"></span></p></div>
<fieldset><legend>${texts.want}</legend><p class="under">${texts.wantText}</p><div class="picks">
<label class="pick"><input type="radio" name="want" value="all" checked><b class="num">${texts.all(sumsOf(texts, view).show(BigInt(left)), payment.refundTotal !== "0")}</b></label>
<label class="pick"><input type="radio" name="want" value="part"><b>${texts.part}</b><span>${texts.partText}</span></label>
<div class="sum"><label for="part">${texts.partLabel(unit)}</label><input id="part" type="text" inputmode="decimal" autocomplete="off" class="num" aria-describedby="part-hint"><p class="under" id="part-hint"></p></div></div></fieldset>
<div class="kept"><button class="plain" type="button" data-draft="copy">${texts.copyDraft}</button><button class="plain" type="button" data-draft="delete">${texts.deleteDraft}</button></div>
</div>`;
}

/** The operator's words on what a dispute with this reason leads to as a rule. */
const showUsual = (texts: DisputeFormCatalogue, outcome: string | undefined): Html | null =>
  outcome === undefined ? null : html`<li><b>${texts.usualOutcome}:</b> <bdi translate="no">${outcome}</bdi></li>`;

/** The four dates, then the button. */
function showPanel(texts: DisputeFormCatalogue, view: ReceiptView, state: "open" | "disputed"): Html {
  const { payment, arbiterLabel, now } = view;
  const { show, inEscrow } = sumsOf(texts, view);
  const lapses = resolveByOf(payment) ?? new Date(now.getTime() + DISPUTE_LAPSE_MS);
  const isOpen = state === "open";
  const steps: readonly Step[] = [
    { title: isOpen ? texts.frozen : texts.frozenNow, text: texts.frozenText(show(inEscrow)), mark: "now" },
    { title: texts.shopCan, text: texts.shopCanText, mark: "ahead" },
    {
      title: texts.arbiterCan,
      text: isBound(view) ? `${texts.arbiterCanText} ${texts.talkFirst}` : texts.arbiterCanText,
      mark: "ahead",
    },
    { title: texts.lapses, text: filled(texts.lapsesText, { time: showTime(texts.page, lapses) }), mark: "ahead" },
  ];
  return html`<h2>${isOpen ? texts.happens : texts.happensNow}</h2>
${showSteps(steps)}
${isOpen ? showButton(texts, view) : showCaseLink(texts, view)}
${payment.arbiter === null ? null : showJudge(texts.page, { ...arbiterLabel, address: payment.arbiter, isRecipient: payment.arbiter === payment.recipient, isOwn: view.mine?.ownArbiter ?? false })}`;
}

/** The case takes the draft of this device along. A payment of no order has none. */
const showCaseLink = (texts: DisputeFormCatalogue, view: ReceiptView): Html | null =>
  isBound(view)
    ? html`<a class="button" id="to-case" href="${pathOf(view)}/case${keyOf(view)}">${texts.toCase}</a>`
    : null;

const showButton = (texts: DisputeFormCatalogue, { payment }: ReceiptView): Html =>
  html`<div class="acts needs-script"><button class="pay" type="button" id="open-dispute" data-action="dispute">${texts.button}</button></div>
<p class="hint act needs-script">${payment.sender === null ? null : texts.signs(shortAddress(payment.sender))} ${texts.notSent}</p>
<p class="without-script note info">${texts.needsScript}</p>`;
