import type { ShownAmount } from "@holdfast/ui/amount.ts";
import { filled, type Html, type HtmlPage, html } from "../../../edge/html/page.ts";
import { type BusinessProfile, contactPlace, inkOn, LOGOS, supportLink } from "../../businesses/business.ts";
import type { Intent } from "../../intents/intent.ts";
import type { Payment } from "../../payments/payment.ts";
import type { Catalogue, LanguageChoice } from "../languages/language.ts";
import { type CheckoutView, stateOf } from "./checkout.ts";
import { type PanelSettings, showPanel } from "./panel.ts";
import { showProtection } from "./protection.ts";
import { CHECKOUT_STYLES } from "./styles.ts";
import { amountText, inOne, orderText, pricedText, timeText } from "./text.ts";

/** A business's looks on buyers' pages. */
export type Brand = Pick<BusinessProfile, "color" | "logo">;
const NO_BRAND: Brand = { color: null, logo: null };

/** A buyer's page around its body, in the colour of a business, if one is shown that has one. */
export const pageShell = (
  { tag, direction, ended }: Pick<Catalogue, "tag" | "direction" | "ended">,
  title: string,
  body: Html,
  script: HtmlPage["script"],
  styles = CHECKOUT_STYLES,
  { color, logo }: Brand = NO_BRAND,
): HtmlPage => ({
  title,
  styles: color === null ? styles : `${styles}\n${brandStyles(color)}`,
  hasPictures: logo !== null,
  language: tag,
  direction,
  // The script shows it once the service refuses the states that the page follows.
  body:
    script === null
      ? body
      : html`${body}<template id="ended">${showNotice(ended.title, ended.text, reloadButton({ reload: ended.open }))}</template>`,
  script,
});

/** The whole page of an intent, readable without a script. The script only adds the wallet. */
export function checkoutPage(view: CheckoutView, settings: PanelSettings): HtmlPage {
  const texts = settings.language.page;
  const { intent, business, decimals } = view;
  const state = stateOf(view);
  const amount = amountText(texts, intent.amount, intent.asset, decimals);
  const title = texts.to(inOne(amount), business.name);
  return pageShell(
    texts,
    title,
    html`<main class="page${state === "protected" ? " done" : ""}" id="checkout" data-state="${state}">
<section class="order">
${showWho(business)}
${showProof(business.domain, texts)}
${showAmount(amount, title)}
${showPriced(texts, intent, intent.asset)}
<p class="about"><span><bdi translate="no">${orderText(texts, intent.merchantReference)}</bdi></span>${
      intent.environment === "test" ? html` <span class="test" title="${texts.testHint}">${texts.test}</span>` : null
    }</p>${intent.description === null ? null : html`\n<p class="what" dir="auto">${intent.description}</p>`}
</section>
<section class="panel" id="panel" aria-label="${state === "waiting" ? texts.pay(inOne(amount)) : texts.payment}">
${showPanel(texts, view, state, settings)}
${showDetails(texts, view)}
<p class="note wait lost">${texts.script.lost}</p>
</section>
${showProtection(texts, view, state)}
${showFooter(texts, view, settings)}
</main>
<p class="unseen" id="live" role="status"></p>`,
    settings.script,
    CHECKOUT_STYLES,
    business,
  );
}

/** The amount that the page is about. */
export const showAmount = ({ figure, unit }: ShownAmount, title: string): Html =>
  html`<h1 class="amount num" translate="no" aria-label="${title}"><span dir="ltr">${figure}<small>${unit}</small></span></h1>`;

/** A business beside a dispute: what is pressed there is not the business's own, so it keeps the site's colour. */
export const inDispute = (brand: Brand | undefined): Brand => ({ color: null, logo: brand?.logo ?? null });

/** The colour of a business's buttons and of the tile with its letter; their edge is seen on every page. */
function brandStyles(color: string): string {
  const ink = inkOn(color);
  return typeof ink === "string"
    ? `.logo,.pay:not([aria-disabled="true"]),.button,.act.first{background:${color};color:${ink};box-shadow:inset 0 0 0 1px var(--edge)}`
    : "";
}

/** The business by its name, with its logo or its first letter. Neither says that anything is proven: {@link showProof} does. */
export const showWho = ({ name, logo }: Pick<BusinessProfile, "name"> & Pick<Brand, "logo">): Html =>
  html`<div class="who">${showLogo(logo) ?? html`<div class="logo" aria-hidden="true">${initialOf(name)}</div>`}<bdi translate="no" class="name">${name}</bdi></div>`;

/** Draws the logo; null if the business has none. */
export const showLogo = (logo: Brand["logo"]): Html | null =>
  logo === null ? null : html`<img class="logo" src="${LOGOS}/${logo}" alt="" width="40" height="40">`;

/** The price of an intent, with the rate that made its amount. */
export function showPriced(texts: Catalogue, intent: Pick<Intent, "price" | "quote">, asset: string): Html | null {
  const priced = pricedText(texts, intent, asset);
  return priced === null
    ? null
    : html`<p class="priced"><b class="num" translate="no">${priced.price}</b> <span>${priced.note}</span></p>`;
}

/** Drawn as an image, so that no name can imitate it (§12.17). */
export const showProof = (domain: string | null, texts: Readonly<Record<"verified" | "unproven", string>>): Html =>
  domain === null
    ? html`<p class="proof none">${PROOF_ICON("M8 1.6l5 2v4c0 3.3-2.1 5.6-5 6.8-2.9-1.2-5-3.5-5-6.8v-4zM8 5v3.2M8 10.6v.1")}<span>${texts.unproven}</span></p>`
    : html`<p class="proof">${PROOF_ICON("M8 1.6l5 2v4c0 3.3-2.1 5.6-5 6.8-2.9-1.2-5-3.5-5-6.8v-4zM5.6 8l1.7 1.7L10.6 6")}<span><b translate="no" dir="ltr">${domain}</b> ${texts.verified}</span></p>`;

const PROOF_ICON = (path: string): Html =>
  html`<svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`;

const initialOf = (name: string): string =>
  [...new Intl.Segmenter().segment(name)][0]?.segment.toLocaleUpperCase() ?? "";

function showDetails(texts: Catalogue, { intent, payment, arbiter, programId, operator }: CheckoutView): Html {
  const row = (name: string, value: string, kind = "mono") =>
    html`<dt>${name}</dt><dd class="${kind}"${kind === "" ? null : html` dir="ltr" translate="no"`}>${value}</dd>`;
  return html`<details class="careful"><summary>${texts.details}</summary><dl>
${row(texts.recipient, intent.recipient)}
${row(texts.token, intent.asset)}
${row(texts.paymentId, intent.paymentId, "mono num")}
${row(texts.intent, intent.id)}
${payment === null ? row(texts.openUntil, timeText(texts, intent.expiresAt), "") : showPaid(row, texts, payment)}
${arbiter.address === null || payment !== null ? null : row(texts.arbiter, arbiter.address)}
${row(texts.program, programId)}
${row(texts.operator, operator)}
</dl></details>`;
}

const showPaid = (row: (name: string, value: string) => Html, texts: Catalogue, payment: Payment): Html =>
  html`${row(texts.payment, payment.id)}
${row(texts.sender, payment.sender)}
${payment.signature === null ? null : row(texts.transaction, payment.signature)}
${row(texts.arbiter, payment.arbiter)}`;

function showFooter(texts: Catalogue, { business }: CheckoutView, { siteOperator, choices }: PanelSettings): Html {
  const { refundPolicy, supportContact } = business;
  return html`<footer>
${
  refundPolicy === null
    ? null
    : html`<details class="policy"><summary>${texts.refundPolicy}</summary><p dir="auto">${refundPolicy}</p></details>`
}
<span>${texts.protectedBy}</span>${showSiteOperator(texts, siteOperator)}${
    supportContact === null ? null : showContact(texts, supportContact)
  }${showLanguages(texts, choices)}
</footer>`;
}

export const showContact = (texts: Catalogue, contact: string): Html =>
  html`<a href="${supportLink(contact)}" rel="noopener noreferrer">${texts.contact} <bdi translate="no" class="host" dir="ltr">${contactPlace(contact)}</bdi></a>`;

/** Who runs the site (§12.15). */
export const showSiteOperator = (texts: Catalogue, siteOperator: PanelSettings["siteOperator"]): Html | null =>
  siteOperator === null
    ? null
    : html`<span>${filled(texts.runBy, {
        operator:
          siteOperator.url === null
            ? html`<bdi translate="no">${siteOperator.name}</bdi>`
            : html`<a href="${siteOperator.url}" rel="noopener noreferrer"><bdi translate="no">${siteOperator.name}</bdi></a>`,
      })}</span>`;

/** Links, so that a page without a script has them too. */
export const showLanguages = (texts: Catalogue, choices: readonly LanguageChoice[]): Html | null =>
  choices.length === 0
    ? null
    : html`<nav class="languages" aria-label="${texts.languages}">${choices.map(
        ({ tag, name, href }) =>
          html`<a href="${href}" lang="${tag}" hreflang="${tag}" translate="no" rel="nofollow">${name}</a>`,
      )}</nav>`;

export const reloadButton = ({ reload }: Pick<Catalogue, "reload">): Html =>
  html`<a class="button" href="">${reload}</a>`;

/** A page that shows only a message. */
export const noticePage = (texts: Catalogue, title: string, text: string, action: Html | null = null): HtmlPage =>
  pageShell(texts, title, showNotice(title, text, action), null);

const showNotice = (title: string, text: string, action: Html | null): Html =>
  html`<main class="page notice"><section class="panel"><h1 class="title">${title}</h1><p class="text">${text}</p>${action}</section></main>`;
