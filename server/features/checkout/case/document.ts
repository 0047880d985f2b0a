import { gainText } from "@holdfast/ui/amount.ts";
import { shortAddress } from "../../../domain/addresses.ts";
import { filled, type Html, type HtmlPage, html } from "../../../edge/html/page.ts";
import { type Dispute, missingSteps } from "../../disputes/dispute.ts";
import type { CaseCatalogue } from "../languages/language.ts";
import { inDispute, pageShell, showLanguages, showLogo, showSiteOperator } from "../page/document.ts";
import { showTime } from "../page/protection.ts";
import { amountText, inOne, orderText } from "../page/text.ts";
import { showDecision } from "../receipt/decisionPart.ts";
import { showDeliveries } from "../receipt/details.ts";
import type { ReceiptSettings } from "../receipt/document.ts";
import { keyOf, pathOf, showReach, showSendBy } from "../receipt/panel.ts";
import { actionsOf, type ReceiptView, stateOf } from "../receipt/receipt.ts";
import { shopOf, sumsOf } from "../receipt/story.ts";
import { showFiles } from "./files.ts";
import { showForms } from "./forms.ts";
import { CASE_STYLES } from "./styles.ts";
import { type ShowAmount, showTalk } from "./talk.ts";
import { showLook, showTurn } from "./turn.ts";
import type { CaseContent, CaseView } from "./view.ts";

/** The buyer's case of a payment: first the proof, then the case. Without a script it can be read, and nothing sent. */
export function casePage(view: CaseView, settings: Omit<ReceiptSettings, "canSign" | "checkoutUrl">): HtmlPage {
  const { dispute: texts, disputeForm } = settings.language;
  const { receipt, facts } = view;
  const { payment, decimals } = receipt;
  const inWords: ShowAmount = (amount) => inOne(amountText(texts.page, amount, payment.asset ?? "", decimals));
  const shop = shopOf(receipt);
  const amount = inWords(payment.amount);
  // Nobody is sent to open a dispute that the chain would refuse.
  const none = actionsOf(receipt).includes("dispute")
    ? { title: texts.noCase, lead: texts.noCaseText }
    : disputeForm.over;
  const title = facts.content === null ? (facts.isProven ? none.title : texts.proofTitle) : titleOf(texts, receipt);
  const body = html`<main class="page case" id="checkout" data-state="${stateOf(receipt)}">
<nav class="crumb"><a href="${pathOf(receipt)}${keyOf(receipt)}">${texts.back}</a><span class="num">${showLogo(receipt.mine?.business.logo ?? null)}<bdi translate="no">${amount}</bdi>${
    shop === null ? null : html` · <bdi translate="no">${shop}</bdi>`
  }${receipt.mine === null ? null : html` · <bdi translate="no">${orderText(texts.page, receipt.mine.merchantReference)}</bdi>`}</span></nav>
${facts.isProven ? showCase(texts, view, inWords, none) : showProof(texts, receipt)}
<footer><span>${texts.page.protectedBy}</span>${showSiteOperator(texts.page, settings.siteOperator)}<a href="/pay">${texts.receipt.find}</a>${showLanguages(texts.page, settings.choices)}</footer>
</main>
<p class="unseen" id="live" role="status"></p>`;
  // An open page outlives the session: then it shows nothing of the dispute any more.
  const shell = facts.isProven ? { ...texts.page, ended: texts.accessEnded } : texts.page;
  const page = pageShell(shell, title, body, settings.script, CASE_STYLES, inDispute(receipt.mine?.business));
  return { ...page, hasPictures: facts.isProven || page.hasPictures === true };
}

/** Names the dispute by amount and shop. */
export const titleOf = (texts: CaseCatalogue, receipt: ReceiptView): string => texts.title(whatOf(texts, receipt));

function whatOf(texts: CaseCatalogue, receipt: ReceiptView): string {
  const [amount, shop] = [sumsOf(texts.receipt, receipt).show(BigInt(receipt.payment.amount)), shopOf(receipt)];
  return shop === null ? amount : texts.page.to(amount, shop);
}

function showProof(texts: CaseCatalogue, receipt: ReceiptView): Html {
  const { sender } = receipt.payment;
  const copied = (label: string, id: string) =>
    html`<div class="copy"><label>${label}<textarea id="${id}" rows="4" class="mono" readonly spellcheck="false"></textarea></label></div>`;
  return html`<section class="order"><div class="state info"><h1 class="title">${texts.proofTitle}</h1>${stateOf(receipt) === "disputed" ? html`<p><b>${texts.proofOpen}${showSendBy(texts.receipt, receipt)}</b></p>` : null}<p>${texts.proofText}</p></div>
<p class="note wait" id="unsent" hidden>${texts.unsent}</p>
<p class="hint">${shopOf(receipt) === null ? html`<bdi translate="no">${whatOf(texts, receipt)}</bdi>` : whatOf(texts, receipt)}. ${sender === null ? null : texts.proofWallet(shortAddress(sender))}</p></section>
<section class="panel" id="panel" aria-label="${texts.proofPanel}"><h2>${texts.proofPanel}</h2>
<div id="prove" class="needs-script action"></div>
<details class="way needs-script" id="smart"><summary>${texts.proofSmart}</summary><p>${texts.proofSmartText}</p>
<button class="plain" type="button" data-case="memo">${texts.proofSmartMake}</button>
<div id="memo" hidden>${copied(texts.proofMemo, "memo-text")}${copied(texts.proofPlain, "memo-plain")}
<div class="field"><label for="landed">${texts.proofLanded}</label><input id="landed" type="text" autocomplete="off" spellcheck="false" class="mono"></div><button class="plain" type="button" data-case="landed">${texts.proofLandedSend}</button></div></details>
<p class="without-script note info">${texts.needsScript}</p>
<p class="note wait lost">${texts.page.script.lost}</p></section>`;
}

function showCase(
  texts: CaseCatalogue,
  view: CaseView,
  inWords: ShowAmount,
  none: { readonly title: string; readonly lead: string },
): Html {
  const { receipt, facts } = view;
  const { content } = facts;
  if (content === null)
    return html`<section class="order"><div class="state info"><h1 class="title">${none.title}</h1><p>${none.lead}</p></div></section>
<section class="panel" id="panel">${showBrowsers(texts, view)}<p class="note wait lost">${texts.page.script.lost}</p></section>`;
  return html`<section class="order"><h1 class="title">${texts.title(inWords(receipt.payment.amount))}</h1>
${showTurn(texts, content.dispute, receipt.now, { askedSide: content.questions.at(-1)?.askedSide ?? null, inWords, payment: receipt.payment })}
${showLook(texts, content.dispute, receipt.now, `${pathOf(receipt)}/case`, hasEmails(view))}
${content.ownArbiter ? html`<p class="note bad">${texts.page.judgeIsOwn}</p>` : null}
${content.usualOutcome === null ? null : html`<p class="note info"><b>${texts.usualOutcome}:</b> <bdi translate="no">${content.usualOutcome}</bdi></p>`}
${showAgreement(texts, content, inWords)}
${showDecision(texts.receipt, receipt)}
${content.dispute.erasedAt === null ? null : html`<p class="note info">${filled(texts.allErased, { time: showTime(texts.page, content.dispute.erasedAt) })}</p>`}
</section>
<section class="talking"><h2>${texts.talk}</h2>
${showTalk(texts, receipt, content, inWords)}
${showForms(texts, receipt, content)}
${showFiles(texts, receipt, content)}
</section>
<section class="panel" id="panel" aria-label="${texts.facts}">
<h2>${texts.facts}</h2><p class="under">${texts.factsText}</p>
${showFacts(texts, receipt, content.dispute)}
${showRelease(texts, receipt, content.dispute)}
${showEmails(texts, view)}
${showBrowsers(texts, view)}
<p class="note wait lost">${texts.page.script.lost}</p>
</section>`;
}

/** True if news goes by email: to the address of the dispute, or without one to that of the order. */
const hasEmails = ({ receipt, facts: { emails } }: CaseView): boolean =>
  emails !== null && (emails.address?.isConfirmed ?? receipt.emailsGo === true);

/** The agreement, with the step that comes next on chain; or that it failed. */
export function showAgreement(texts: CaseCatalogue, { dispute }: CaseContent, inWords: ShowAmount): Html | null {
  const { agreement, status } = dispute;
  if (agreement === null) return null;
  if (agreement.failedAt !== null)
    return html`<p class="note info">${filled(texts.agreementFailed(inWords(agreement.total)), { time: showTime(texts.page, agreement.until) })}</p>`;
  if (status !== "agreed") return null;
  const rest = (BigInt(dispute.amount) - BigInt(agreement.total)).toString();
  const missing = missingSteps(dispute);
  const [hasRefund, hasRelease] = [missing.includes("refund"), missing.includes("release")];
  return html`<section class="agreed"><h2>${texts.agreed(gainText(texts, agreement.total, dispute.refundTotal, inWords))}</h2><p>${texts.agreedRest(inWords(rest))}</p>
${hasRefund ? html`<p>${hasRelease ? texts.waitsRefund : texts.waitsRefundAlone}</p>` : null}
${
  hasRelease && !hasRefund
    ? html`<p>${agreement.total === "0" ? texts.waitsReleaseAlone : texts.waitsRelease}</p><div class="acts needs-script"><button class="act first" type="button" data-action="release"><b>${texts.release}</b><span>${texts.releaseText}</span></button></div>`
    : null
}</section>`;
}

/** The release in a dispute that is not agreed: it is never the first thing to do. What was agreed is released above. */
function showRelease(texts: CaseCatalogue, receipt: ReceiptView, dispute: Dispute): Html | null {
  if (dispute.status === "agreed" || !actionsOf(receipt).includes("release")) return null;
  return html`<details class="way needs-script"><summary>${texts.releaseAnyway}</summary><p>${texts.releaseAnywayText}</p><div class="acts"><button class="act" type="button" data-action="release"><b>${texts.releaseAnyway}</b></button></div></details>`;
}

function showFacts(texts: CaseCatalogue, receipt: ReceiptView, { openedAt }: Dispute): Html {
  const { payment, mine, arbiterLabel } = receipt;
  const row = (name: string, value: Html | string | null) =>
    value === null ? html`` : html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const { show, inEscrow, back, backDue } = sumsOf(texts.receipt, receipt);
  return html`<dl class="facts">
${row(texts.reference, mine === null ? null : html`<bdi translate="no">${mine.merchantReference}</bdi>`)}
${row(texts.ordered, mine?.description == null ? null : html`<span dir="auto">${mine.description}</span>`)}
${mine === null ? null : showDeliveries(texts.receipt, mine.fulfillments)}
${row(texts.paidAt, payment.createdAt === null ? null : showTime(texts.page, payment.createdAt))}
${row(texts.openedAt, showTime(texts.page, openedAt))}
${row(texts.receipt.contact, showReach(texts.receipt, receipt))}
${row(texts.sentBack, back === 0n ? null : html`<span class="num" translate="no" dir="ltr">${show(back)}</span>${payment.refundedAt === null ? null : html`, ${showTime(texts.page, payment.refundedAt)}`}`)}
${row(texts.sentBackDue, backDue === 0n ? null : html`<span class="num" translate="no" dir="ltr">${show(backDue)}</span>`)}
${row(texts.inEscrow, html`<span class="num" translate="no" dir="ltr">${show(inEscrow)}</span>`)}
${row(texts.arbiter, payment.arbiter === null ? null : html`${arbiterLabel.name === null ? html`<code translate="no" dir="ltr">${shortAddress(payment.arbiter)}</code>` : html`<bdi translate="no">${arbiterLabel.name}</bdi>`}`)}
</dl>`;
}

/** The address for emails, which say only that something happened. */
function showEmails(texts: CaseCatalogue, { facts: { emails } }: CaseView): Html | null {
  if (emails === null) return null;
  const { address } = emails;
  const remove = html`<button class="plain" type="button" data-address="remove">${texts.removeEmail}</button>`;
  return html`<details class="way needs-script" id="emails"${address?.isConfirmed === false ? html` open` : null}><summary>${texts.emails}</summary><p>${texts.emailsText}</p>
${
  address === null
    ? html`<form method="dialog" class="write" id="address-form"><div class="field"><label for="email">${texts.email}</label><input id="email" type="email" autocomplete="email" maxlength="254"></div><button class="tool" type="submit">${texts.sendLink}</button></form>`
    : html`<p>${address.email === null ? texts.emailUnread : filled(address.isConfirmed ? texts.emailsGo : texts.linkSent, { email: html`<bdi translate="no">${address.email}</bdi>` })}</p>${remove}`
}
<p id="address-status" class="progress" role="status"></p></details>`;
}

const showBrowsers = (texts: CaseCatalogue, { facts: { sessions } }: CaseView): Html =>
  html`<details class="way browsers"><summary>${texts.browsers}</summary><p>${texts.browsersText}</p><ul>${sessions.map(
    ({ id, userAgent, createdAt, isThis }) =>
      html`<li><span>${isThis ? html`<b>${texts.thisBrowser}</b> ` : null}<bdi translate="no">${userAgent}</bdi> ${filled(texts.since, { time: showTime(texts.page, createdAt) })}</span><button class="plain needs-script" type="button" data-case="end" data-session="${id}">${texts.end}</button></li>`,
  )}</ul></details>`;
