import { filled, type Html, type HtmlPage, html } from "../../../edge/html/page.ts";
import { readPrice } from "../../intents/intent.ts";
import { linkStateAt } from "../../links/link.ts";
import type { LinkCatalogue } from "../languages/language.ts";
import { pageShell, showLanguages, showProof, showSiteOperator, showWho } from "../page/document.ts";
import type { PanelSettings } from "../page/panel.ts";
import { showTime } from "../page/protection.ts";
import { amountText, inOne, periodText, priceText } from "../page/text.ts";
import { RECEIPT_STYLES } from "../receipt/styles.ts";
import type { SeenLink } from "./start.ts";

/** A problem of the last press: the amount that was typed, or the shop's own rules. */
export type LinkProblem =
  | { readonly kind: "amount"; readonly typed: string }
  | { readonly kind: "refused" | "unpriced" };

/** The page of a payment link. It has no script: its form asks for an intent, whose page then pays. */
export function linkPage(
  texts: LinkCatalogue,
  link: SeenLink,
  problem: LinkProblem | null,
  { siteOperator, choices }: Pick<PanelSettings, "siteOperator" | "choices">,
): HtmlPage {
  const { page } = texts;
  const { business, amount, asset, decimals } = link;
  const shown = amount === null ? null : amountText(page, amount, asset, decimals);
  const price = priceOf(page.locale, link);
  const main = price ?? (shown && inOne(shown));
  const title = main === null ? link.title : page.to(main, business.name);
  const body = html`<main class="page link">
<section class="order">
${showWho(business)}
${showProof(business.domain, page)}
<h1 class="amount num" translate="no"${main === null ? null : html` aria-label="${title}"`}>${
    main === null
      ? html`<bdi translate="no">${link.title}</bdi>`
      : html`<span dir="ltr">${price ?? html`${shown!.figure}<small>${shown!.unit}</small>`}</span>`
  }</h1>
<p class="about">${main === null ? null : html`<span><bdi translate="no">${link.title}</bdi></span>`}${
    link.environment === "test" ? html` <span class="test" title="${page.testHint}">${page.test}</span>` : null
  }</p>${link.description === null ? null : html`\n<p class="what" dir="auto">${link.description}</p>`}
</section>
<section class="panel">
${showPanel(texts, link, problem)}
</section>
<footer><span>${page.protectedBy}</span>${showSiteOperator(page, siteOperator)}${showLanguages(page, choices)}</footer>
</main>`;
  return { ...pageShell(page, title, body, null, RECEIPT_STYLES, business), hasForm: true };
}

function showPanel(texts: LinkCatalogue, link: SeenLink, problem: LinkProblem | null): Html {
  const { page } = texts;
  const { seatsMax, takenSeats, expiresAt } = link;
  const state = linkStateAt(link, link.paidSeats, link.now);
  if (state !== "open") {
    const { title, text } = texts.states[state];
    return html`<div class="state ${state === "full" ? "wait" : "bad"}"><span class="mark" aria-hidden="true"></span><h2>${title}</h2><p>${text}</p></div>`;
  }
  const count = (value: number) => new Intl.NumberFormat(page.locale).format(value);
  const left = seatsMax === null ? null : seatsMax - takenSeats;
  return html`${
    problem === null || problem.kind === "amount"
      ? null
      : html`<p class="note wait" role="alert">${texts[problem.kind]}</p>`
  }
${
  left === null
    ? null
    : html`<p class="note ${left > 0 ? "info" : "wait"}">${left > 0 ? texts.left(count(left), count(seatsMax!)) : texts.held}</p>`
}
${left !== null && left <= 0 ? null : showForm(texts, link, problem)}
<p class="after">${texts.protection(periodText(page, link.protectionPeriod))}</p>
${expiresAt === null ? null : html`<p class="after">${filled(texts.until, { time: showTime(page, expiresAt) })}</p>`}`;
}

function priceOf(locale: string, { price }: SeenLink): string | null {
  const given = readPrice(price);
  return given && priceText(locale, given);
}

/** The form asks the page itself. It is sent by a press alone, so no crawler makes an intent. */
function showForm(texts: LinkCatalogue, link: SeenLink, problem: LinkProblem | null): Html {
  const { id, amount, asset, decimals } = link;
  const { page } = texts;
  const price = priceOf(page.locale, link);
  const unit = amountText(page, "0", asset, decimals).unit;
  const bad = problem?.kind === "amount" ? problem : null;
  const field = html`<label for="amount">${texts.amount} (${unit})</label>
<div class="row"><input id="amount" name="amount" value="${bad?.typed ?? ""}" required maxlength="41" inputmode="decimal" autocomplete="off" dir="ltr"${
    bad === null ? null : html` aria-invalid="true" aria-describedby="wrong"`
  }></div>${
    bad === null ? null : html`<p class="note wait" id="wrong" role="alert">${texts.amountInvalid(decimals ?? 0)}</p>`
  }`;
  const fixed = price ?? (amount && inOne(amountText(page, amount, asset, decimals)));
  return html`<form action="/pay/l/${id}" method="post">${fixed === null ? field : null}
<button class="pay" type="submit">${
    fixed === null ? texts.continueOpen : texts.continue(fixed)
  }</button><p class="hint">${texts.next}${price === null ? null : html` ${texts.priced(unit)}`}</p></form>`;
}
