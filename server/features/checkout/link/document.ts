import { type Html, type HtmlPage, html } from "../../../edge/html/page.ts";
import { readPrice } from "../../intents/intent.ts";
import { linkStateAt } from "../../links/link.ts";
import { ENGLISH } from "../page/catalogue.ts";
import { pageShell, showProof, showSiteOperator, showWho } from "../page/document.ts";
import type { PanelSettings } from "../page/panel.ts";
import { showTime } from "../page/protection.ts";
import { amountText, inOne, periodText, priceText } from "../page/text.ts";
import { RECEIPT_STYLES } from "../receipt/styles.ts";
import { LINK_ENGLISH } from "./catalogue.ts";
import type { SeenLink } from "./start.ts";

/** A problem of the last press: the amount that was typed, or the shop's own rules. */
export type LinkProblem =
  | { readonly kind: "amount"; readonly typed: string }
  | { readonly kind: "refused" | "unpriced" };

/** The page of a payment link. It has no script: its form asks for an intent, whose page then pays. */
export function linkPage(
  link: SeenLink,
  problem: LinkProblem | null,
  siteOperator: PanelSettings["siteOperator"],
): HtmlPage {
  const { business, amount, asset, decimals } = link;
  const shown = amount === null ? null : amountText(ENGLISH, amount, asset, decimals);
  const price = priceOf(link);
  const main = price ?? (shown && inOne(shown));
  const title = main === null ? link.title : ENGLISH.to(main, business.name);
  const body = html`<main class="page link">
<section class="order">
${showWho(business)}
${showProof(business.domain, ENGLISH)}
<h1 class="amount num" translate="no"${main === null ? null : html` aria-label="${title}"`}>${
    main === null
      ? html`<bdi translate="no">${link.title}</bdi>`
      : (price ?? html`${shown!.figure}<small>${shown!.unit}</small>`)
  }</h1>
<p class="about">${main === null ? null : html`<span><bdi translate="no">${link.title}</bdi></span>`}${
    link.environment === "test" ? html` <span class="test" title="${ENGLISH.testHint}">${ENGLISH.test}</span>` : null
  }</p>${link.description === null ? null : html`\n<p class="what" dir="auto">${link.description}</p>`}
</section>
<section class="panel">
${showPanel(link, problem)}
</section>
<footer><span>${ENGLISH.protectedBy}</span>${showSiteOperator(ENGLISH, siteOperator)}</footer>
</main>`;
  return { ...pageShell(title, body, null, RECEIPT_STYLES, business), hasForm: true };
}

function showPanel(link: SeenLink, problem: LinkProblem | null): Html {
  const texts = LINK_ENGLISH;
  const { seatsMax, takenSeats, expiresAt } = link;
  const state = linkStateAt(link, link.paidSeats, link.now);
  if (state !== "open") {
    const { title, text } = texts.states[state];
    return html`<div class="state ${state === "full" ? "wait" : "bad"}"><span class="mark" aria-hidden="true"></span><h2>${title}</h2><p>${text}</p></div>`;
  }
  const count = (value: number) => new Intl.NumberFormat(ENGLISH.locale).format(value);
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
${left !== null && left <= 0 ? null : showForm(link, problem)}
<p class="after">${texts.protection(periodText(ENGLISH, link.protectionPeriod))}</p>
${expiresAt === null ? null : html`<p class="after">${texts.until} ${showTime(ENGLISH, expiresAt)}</p>`}`;
}

function priceOf({ price }: SeenLink): string | null {
  const given = readPrice(price);
  return given && priceText(ENGLISH.locale, given);
}

/** The form asks the page itself. It is sent by a press alone, so no crawler makes an intent. */
function showForm(link: SeenLink, problem: LinkProblem | null): Html {
  const { id, amount, asset, decimals } = link;
  const texts = LINK_ENGLISH;
  const price = priceOf(link);
  const unit = amountText(ENGLISH, "0", asset, decimals).unit;
  const bad = problem?.kind === "amount" ? problem : null;
  const field = html`<label for="amount">${texts.amount} (${unit})</label>
<div class="row"><input id="amount" name="amount" value="${bad?.typed ?? ""}" required maxlength="41" inputmode="decimal" autocomplete="off" dir="ltr"${
    bad === null ? null : html` aria-invalid="true" aria-describedby="wrong"`
  }></div>${
    bad === null ? null : html`<p class="note wait" id="wrong" role="alert">${texts.amountInvalid(decimals ?? 0)}</p>`
  }`;
  const fixed = price ?? (amount && inOne(amountText(ENGLISH, amount, asset, decimals)));
  return html`<form action="/pay/l/${id}" method="post">${fixed === null ? field : null}
<button class="pay" type="submit">${
    fixed === null ? texts.continueOpen : texts.continue(fixed)
  }</button><p class="hint">${texts.next}${price === null ? null : html` ${texts.priced(unit)}`}</p></form>`;
}
