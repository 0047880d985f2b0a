import { shortAddress } from "../../../domain/addresses.ts";
import { filled, type Html, type HtmlPage, html } from "../../../edge/html/page.ts";
import type { ReceiptCatalogue } from "../languages/language.ts";
import {
  noticePage,
  pageShell,
  reloadButton,
  showAmount,
  showLanguages,
  showPriced,
  showProof,
  showSiteOperator,
  showWho,
} from "../page/document.ts";
import type { PanelSettings } from "../page/panel.ts";
import { showJudge, showSteps, showTime } from "../page/protection.ts";
import { amountText, inOne, orderText } from "../page/text.ts";
import { showDecision } from "./decisionPart.ts";
import { showReceiptDetails } from "./details.ts";
import { keyOf, pathOf, showReceiptPanel, showUnlock } from "./panel.ts";
import { isBound, type ReceiptView, stateOf } from "./receipt.ts";
import { type Story, shopOf, storyOf } from "./story.ts";
import { RECEIPT_STYLES } from "./styles.ts";

export interface ReceiptSettings extends Pick<PanelSettings, "siteOperator" | "script" | "language" | "choices"> {
  /** True if this process can sign JSON receipts. */
  readonly canSign: boolean;
  /** The deployment's public address, without a trailing slash. */
  readonly checkoutUrl: string;
}

/** The whole receipt of a payment, readable and printable without a script. The script only adds the actions. */
export function receiptPage(view: ReceiptView, settings: ReceiptSettings): HtmlPage {
  const { receipt: texts, page } = settings.language;
  const { payment, decimals, mine } = view;
  const story = storyOf(texts, view);
  const amount = amountText(page, payment.amount, payment.asset ?? "", decimals);
  const shop = shopOf(view) ?? (payment.recipient === null ? null : shortAddress(payment.recipient));
  const title = shop === null ? texts.toNobody(inOne(amount)) : texts.title(inOne(amount), shop);
  const state = stateOf(view);
  const toCase = html`<a class="explorer" href="${pathOf(view)}/case${keyOf(view)}">${texts.readCase}</a>`;
  const isEnded = state === "vanished" || story.steps.every(({ mark }) => mark === "done");
  const body = html`<main class="page receipt" id="checkout" data-state="${story.state}">
<section class="order">
${showShop(texts, view)}
${showAmount(amount, title)}
${mine === null ? null : showPriced(page, mine, payment.asset ?? "")}
<p class="about">${mine === null ? null : html`<span><bdi translate="no">${orderText(page, mine.merchantReference)}</bdi></span>`}${
    payment.createdAt === null
      ? null
      : html`<span>${filled(texts.paidAt, { time: showTime(page, payment.createdAt) })}</span>`
  }${payment.environment === "test" ? html` <span class="test" title="${page.testHint}">${page.test}</span>` : null}</p>
${isBound(view) && mine === null ? html`<p class="note info">${texts.keyless} ${showUnlock(texts, view)}</p>` : null}
${mine === null || mine.description === null ? null : html`<p class="what" dir="auto">${mine.description}</p>`}
</section>
<section class="panel" id="panel" aria-label="${texts.panel}">
${showReceiptPanel(texts, view, story)}
${showReturn(texts, view)}
<p class="note wait lost">${page.script.lost}</p>
</section>
<section class="protection">
<h2>${isEnded ? texts.happened : texts.next}</h2>
${showSteps(story.steps)}
${showArbiter(texts, view, story)}
</section>
<section class="full">
${showDecision(texts, view, toCase) ?? (hasDispute(view) && state !== "disputed" ? html`<p>${toCase}</p>` : null)}
<h2>${texts.details}</h2>
${showReceiptDetails(texts, view, `${settings.checkoutUrl}${pathOf(view)}${keyOf(view)}`)}
<div class="tools"><button class="tool needs-script" type="button" data-print>${texts.print}</button><button class="tool needs-script" type="button" data-copy>${texts.copy}</button>${showFile(texts, view, settings)}<span>${view.key === null ? texts.keep : texts.keepKey}</span></div>
</section>
<footer><span>${page.protectedBy}</span>${showSiteOperator(page, settings.siteOperator)}<a class="finder" href="/pay">${texts.find}</a>${showLanguages(page, settings.choices)}</footer>
</main>
<p class="unseen" id="live" role="status"></p>`;
  return pageShell(page, title, body, settings.script, RECEIPT_STYLES, mine?.business);
}

/** True of a payment of an order that was disputed: its dispute has a page. */
const hasDispute = (view: ReceiptView): boolean => isBound(view) && view.payment.disputedAt !== null;

/** The signed file (§15). Of a payment that a fork removed there is none. */
const showFile = (texts: ReceiptCatalogue, view: ReceiptView, { canSign }: ReceiptSettings): Html | null =>
  canSign && view.match !== "vanished"
    ? html`<a class="tool" href="${pathOf(view)}.json${keyOf(view)}" download>${texts.save}</a>`
    : null;

/** The arbiter, while a dispute is possible or open. */
const showArbiter = ({ judgeIsShop, page }: ReceiptCatalogue, view: ReceiptView, { state }: Story): Html | null => {
  const { arbiter: address, recipient } = view.payment;
  return address === null || (state !== "protected" && state !== "disputed")
    ? null
    : showJudge(
        { ...page, judgeIsShop },
        { ...view.arbiterLabel, address, isRecipient: address === recipient, isOwn: view.mine?.ownArbiter ?? false },
      );
};

function showShop(texts: ReceiptCatalogue, view: ReceiptView): Html {
  const business = view.mine?.business ?? view.terms.business;
  const { recipient } = view.payment;
  if (business === null)
    return html`<div class="who"><span class="name">${texts.unknownShop}</span></div>${
      recipient === null
        ? null
        : html`<p class="host">${texts.paidTo} <code translate="no" dir="ltr">${shortAddress(recipient)}</code></p>`
    }`;
  // The terms text says what was proven when the buyer paid; only the key shows the business as it is now.
  const labels = view.mine === null ? { verified: texts.provenThen, unproven: texts.unprovenThen } : texts.page;
  return html`${showWho({ ...business, logo: view.mine?.business.logo ?? null })}
${showProof(business.domain, labels)}`;
}

function showReturn({ page }: ReceiptCatalogue, { mine, payment }: ReceiptView): Html | null {
  if (mine === null || mine.returnUrl === null) return null;
  const { host } = new URL(mine.returnUrl);
  return html`${payment.environment === "live" && !mine.isReturnOwn ? html`<p class="note wait">${page.leadsTo(host)}</p>` : null}<a class="return" href="${mine.returnUrl}" rel="noreferrer"><span>${filled(page.backTo, { business: html`<bdi translate="no">${mine.business.name}</bdi>` })}</span> <bdi translate="no" class="host" dir="ltr">${host}</bdi></a>`;
}

/** The page at an address of no payment that is known here. */
export const unknownPage = ({ page, ...texts }: ReceiptCatalogue): HtmlPage =>
  noticePage(
    page,
    texts.unknownTitle,
    texts.unknownText,
    html`${reloadButton(page)}<a class="other" href="/pay">${texts.find}</a>`,
  );
