import { shortAddress } from "../../../domain/addresses.ts";
import { filled, type Html, type HtmlPage, html } from "../../../edge/html/page.ts";
import { fillReturnUrl, isOwnHost } from "../../businesses/business.ts";
import { statusAt } from "../../intents/intent.ts";
import { type Payment, receiptUrlOf } from "../../payments/payment.ts";
import type { Catalogue, Language, LanguageChoice } from "../languages/language.ts";
import { type CheckoutState, type CheckoutView, isReported, PAYMENT_TONES, type Tone } from "./checkout.ts";
import { showTime } from "./protection.ts";
import { amountText, costMore, costText, inOne, lateTextOf, orderText, periodText, timeLeftText } from "./text.ts";

/** The kind of device, by its user agent. It only decides the order of the ways to pay. */
export type Device = "desktop" | "phone";

export interface PanelSettings {
  readonly language: Language;
  /** The other languages, unless the intent names one. */
  readonly choices: readonly LanguageChoice[];
  readonly device: Device;
  /** True if the service builds transactions. Otherwise the page only shows the request. */
  readonly canPay: boolean;
  /** True if the service sends emails to buyers. */
  readonly sendsEmails: boolean;
  /** The page's public address. */
  readonly url: string;
  /** The Solana Pay request's address and its code as SVG paths; null if the site has no https. */
  readonly request: { readonly link: string; readonly code: Html } | null;
  readonly script: HtmlPage["script"];
  /** The operator of the site; null if the settings name none. */
  readonly siteOperator: { readonly name: string; readonly url: string | null } | null;
}

/** The right side: the next action, or the result of the payment. */
export function showPanel(texts: Catalogue, view: CheckoutView, state: CheckoutState, settings: PanelSettings): Html {
  if (state === "waiting") return showWaiting(texts, view, settings);
  const { title, text } = texts.states[state];
  const { payment, intent, decimals } = view;
  const refundText = ({ refundTotal, amountRefunded }: Payment) => {
    const amount = inOne(amountText(texts, refundTotal, intent.asset, decimals));
    return amountRefunded === refundTotal ? texts.partRefunded(amount) : texts.partRefund(amount);
  };
  const refund = payment === null || payment.refundTotal === "0" || state === "refunded" ? null : refundText(payment);
  const isSure = state === "protected" && view.isFinalized;
  const words = html`<p>${isSure ? `${texts.irreversible} ` : ""}${text}${refund === null ? null : ` ${refund}`}</p>`;
  const head =
    payment !== null && state === "protected"
      ? showPaid(texts, view, payment, words)
      : html`<div class="state ${TONES[state]}"><span class="mark" aria-hidden="true"></span><h2>${title}</h2>${words}</div>`;
  return html`${head}
${isReported(view) ? html`<p class="note info">${texts.reportedOver}</p>` : null}
${showLate(texts, payment)}
${payment?.overLimit ? html`<p class="note wait">${texts.overLimit}</p>` : null}
${showMismatch(texts, view)}
${showDuplicates(texts, view)}
${payment === null ? null : html`<a class="button to-receipt" href="${receiptUrlOf(payment, "")}">${texts.receipt}</a>`}
${state === "in_flight" || state === "held" ? null : showReturn(texts, view)}
${state === "protected" ? html`<p class="hint">${texts.keepReceipt}</p>` : null}
${
  payment !== null && settings.sendsEmails && !view.hasAddress
    ? html`<a class="way anyway" href="/pay/i/${intent.id}/email">${texts.getEmails}</a>`
    : null
}
${state === "in_flight" && settings.canPay && statusAt(intent, view.now) === "requires_payment" ? showPayAnyway(texts, view) : null}`;
}

/** The page right after paying: the amount first, then the time until which the buyer can object. */
const showPaid = (texts: Catalogue, { intent, decimals }: CheckoutView, payment: Payment, words: Html): Html => {
  const { figure, unit } = amountText(texts, payment.amount, intent.asset, decimals);
  return html`<div class="state good paid"><span class="mark" aria-hidden="true"></span><h2>${texts.states.protected.title}</h2><p class="amount num" translate="no" dir="ltr">${figure} <small>${unit}</small></p><p class="about"><span><bdi translate="no">${orderText(texts, intent.merchantReference)}</bdi></span></p>${words}</div>
<div class="until"><span>${texts.objectUntil}</span><b class="num">${showTime(texts, payment.protectionDeadline)}</b><p>${texts.objectUntilText}</p></div>`;
};

function showLate(texts: Catalogue, payment: Payment | null): Html | null {
  const text = lateTextOf(texts.late, payment?.lateReason ?? null);
  return text === null ? null : html`<p class="note wait">${text}</p>`;
}

/** Strangers can send such payments too, so they block no payment. */
const showMismatch = (texts: Catalogue, { hasMismatch, payment }: CheckoutView): Html | null =>
  hasMismatch && payment === null
    ? html`<p class="note wait">${texts.mismatch} <a href="/pay">${texts.findPayment}</a></p>`
    : null;

const showCost = (texts: Catalogue, view: CheckoutView): Html =>
  html`<p class="cost" id="cost">${costText(texts, view)}</p>${
    view.cost === null
      ? null
      : html`<details class="careful" id="why"><summary>${texts.costWhy}</summary><p id="cost-more">${costMore(texts, view.cost)}</p></details>`
  }`;

const showWallet = (label: string): Html =>
  html`<div class="needs-script"><button class="pay" id="pay" type="button">${label}</button>
<p class="hint" id="hint"></p>
<p class="progress" id="progress" tabindex="-1"></p>
<p class="hint num" id="life"></p></div>`;

/** Someone with the link sent a payment. Any other buyer must still be able to pay, or a stranger could block them for good. */
const showPayAnyway = (texts: Catalogue, view: CheckoutView): Html =>
  html`<details class="way anyway needs-script"><summary>${texts.payAnyway}<span>${texts.payAnywayHint}</span></summary><p>${texts.payAnywayText}</p>${showCost(texts, view)}${showWallet(texts.payAnywayHint)}<div class="wallets" id="wallets"></div></details>`;

const TONES: Readonly<Record<Exclude<CheckoutState, "waiting">, Tone>> = {
  ...PAYMENT_TONES,
  held: "wait",
  in_flight: "info",
  expired: "bad",
  canceled: "bad",
};

/** The receipt of a payment comes first. */
function showReturn(texts: Catalogue, { business, intent, payment }: CheckoutView): Html | null {
  const template = intent.returnUrl ?? business.returnUrl;
  const url = template === null ? null : fillReturnUrl(template, intent);
  return url === null
    ? null
    : html`${intent.environment === "live" && !isOwnHost(business, new URL(url).hostname) ? html`<p class="note wait">${texts.leadsTo(new URL(url).host)}</p>` : null}<a class="${payment === null ? "button" : "button second"}" href="${url}" rel="noreferrer"><span>${filled(texts.backTo, { business: html`<bdi translate="no">${business.name}</bdi>` })}</span><bdi translate="no" class="host" dir="ltr">${new URL(url).host}</bdi></a>`;
}

/** The way that works on this device comes first; the others are folded. */
function showWaiting(texts: Catalogue, view: CheckoutView, settings: PanelSettings): Html {
  const { intent, decimals, now } = view;
  const amount = inOne(amountText(texts, intent.amount, intent.asset, decimals));
  // Few phone browsers have a wallet; if one does, the script puts it first.
  const linksFirst = settings.device === "phone";
  const left = intent.expiresAt.getTime() - now.getTime();
  const wallet = showWallet(texts.pay(amount));
  const others = html`<details class="way needs-script" id="others"><summary>${texts.otherWallet}<span>${texts.otherWalletHint}</span></summary><div class="wallets" id="wallets"></div></details>`;
  const time = html`<div class="left"><span>${texts.payWithin}</span><b class="num"><time id="left" datetime="${intent.expiresAt.toISOString()}" data-left="${String(left)}">${timeLeftText(texts, left)}</time></b></div>`;
  if (!settings.canPay) return html`${time}<p class="note info">${texts.cannotPay}</p>`;
  return html`${time}
${showMismatch(texts, view)}
<p class="held-for">${texts.heldFor(periodText(texts, intent.protectionPeriod))}</p>
${showCost(texts, view)}
<p class="without-script note info">${texts.noScript}</p>
${linksFirst ? html`<div class="injected">${wallet}${others}</div>${showApps(texts, settings.url)}` : wallet}
${
  linksFirst && settings.request === null
    ? null
    : html`<div class="or" aria-hidden="true">${texts.or}</div>
<div class="ways">
${linksFirst ? null : others}
${showPhone(texts, settings)}
</div>`
}`;
}

function showPhone(texts: Catalogue, { request, device }: PanelSettings): Html {
  if (request === null)
    return html`<details class="way"><summary>${texts.phone}<span>${texts.phoneHint}</span></summary><p>${texts.phoneNeedsHttps}</p></details>`;
  if (device !== "desktop") return html`<a class="way" href="${request.link}">${texts.solanaPay}</a>`;
  return html`<details class="way"><summary>${texts.phone}<span>${texts.phoneHint}</span></summary><p>${texts.phoneText}</p><div class="code">${request.code}</div></details>`;
}

/** The link of each wallet that opens a page in its browser. */
const APPS: readonly (readonly [name: string, address: string])[] = [
  ["Phantom", "https://phantom.app/ul/browse/"],
  ["Solflare", "https://solflare.com/ul/v1/browse/"],
  ["Backpack", "https://backpack.app/ul/v1/browse/"],
];

function showApps(texts: Catalogue, url: string): Html {
  const [first, ...others] = linksOf(texts, url);
  return html`<div class="apps"><p class="hint">${texts.openAppText}</p><a class="pay" ${first!}</a>${others.map((link) => html`<a class="way" ${link}</a>`)}</div>`;
}

/** The attributes and text of a link, without the start and end of the element, which depend on its place. */
function linksOf(texts: Catalogue, url: string): Html[] {
  const target = encodeURIComponent(url);
  const origin = encodeURIComponent(new URL(url).origin);
  return APPS.map(
    ([name, address]) =>
      html`href="${`${address}${target}?ref=${origin}`}" rel="noopener noreferrer">${texts.openIn(name)}`,
  );
}

/** The payments to the same intent that came after the first, with their receipts. */
function showDuplicates(texts: Catalogue, { duplicates, decimals }: CheckoutView): Html | null {
  const open = duplicates.filter(({ status }) => status === "protected" || status === "disputed");
  if (open.length === 0) return null;
  return html`<div class="note wait"><strong>${texts.duplicateTitle(open.length)}</strong><p>${texts.duplicateText}</p><ul>${open.map(
    ({ id, amount, asset, sender }) =>
      html`<li><a href="/pay/p/${id}">${filled(texts.duplicate, {
        amount: html`<bdi translate="no">${inOne(amountText(texts, amount, asset, decimals))}</bdi>`,
        wallet: html`<code translate="no" dir="ltr">${shortAddress(sender)}</code>`,
      })}</a></li>`,
  )}</ul></div>`;
}
