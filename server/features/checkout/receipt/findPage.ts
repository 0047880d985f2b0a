import { type Html, type HtmlPage, html, type PageScript } from "../../../edge/html/page.ts";
import { LOCAL_CLUSTER } from "../../chains/chain.ts";
import type { LanguageChoice, ReceiptCatalogue } from "../languages/language.ts";
import { pageShell, showLanguages } from "../page/document.ts";
import { showTime } from "../page/protection.ts";
import { amountText, inOne, TIME_FORMAT } from "../page/text.ts";
import type { Finding, FoundPayment } from "./find.ts";
import { RECEIPT_STYLES } from "./styles.ts";

/** What the page says of what was pasted; `away`: the network was needed and did not answer. */
export type FindAnswer = Exclude<Finding, { kind: "page" | "limited" }> | { readonly kind: "away" };

/** The page that finds payments. It works without a script: its form asks the same page. */
export function findPage(
  texts: ReceiptCatalogue,
  query: string,
  answer: FindAnswer | null,
  { script, choices }: FindSettings,
): HtmlPage {
  const { page } = texts;
  const isBad = answer !== null && answer.kind !== "list";
  const body = html`<main class="page notice find">
<section class="panel">
<h1 class="title">${texts.findTitle}</h1>
<p class="text" id="about">${texts.findText}</p>
<form action="/pay" method="get" role="search"><label for="query">${texts.findLabel}</label>
<div class="row"><input id="query" name="query" value="${query}" required maxlength="2000" autocomplete="off" autocapitalize="none" spellcheck="false" dir="ltr" aria-describedby="${isBad ? "about answer" : "about"}"${isBad ? { html: ' aria-invalid="true"' } : null}><button class="tool" type="submit">${texts.findButton}</button></div></form>
<div id="answer">${answer === null ? null : showAnswer(texts, answer)}</div>
<section class="connect needs-script"><h2>${texts.connect}</h2><div class="wallets" id="wallets"></div><p class="progress" id="progress"></p></section>
</section>
${choices.length === 0 ? null : html`<footer>${showLanguages(page, choices)}</footer>`}
</main>
<p class="unseen" id="live" role="status"></p>`;
  return {
    ...pageShell(page, texts.findTitle, body, script && { ...script, data: dataOf(texts, script) }, RECEIPT_STYLES),
    hasForm: true,
  };
}

/** The page's script, and whether it has the local chain's demo wallet. */
export type FindScript = Omit<PageScript, "data"> & { readonly isLocal: boolean };

export interface FindSettings {
  readonly script: FindScript | null;
  readonly choices: readonly LanguageChoice[];
}

const dataOf = ({ page, script }: ReceiptCatalogue, { isLocal }: FindScript) => ({
  page: "find",
  cluster: isLocal ? LOCAL_CLUSTER : "solana:mainnet",
  demo: isLocal,
  locale: page.locale,
  timeFormat: TIME_FORMAT,
  texts: script,
});

function showAnswer(texts: ReceiptCatalogue, answer: FindAnswer): Html {
  if (answer.kind === "invalid") return html`<p class="note wait">${texts.findInvalid}</p>`;
  if (answer.kind === "away") return html`<p class="note wait">${texts.findAway}</p>`;
  if (answer.kind === "nothing")
    return html`<div class="note wait"><strong>${texts.findNothing}</strong><p>${texts.findNothingText}</p></div>`;
  const count = new Intl.NumberFormat(texts.page.locale).format(answer.payments.length);
  return html`<h2>${texts.found}</h2><ul class="found">${answer.payments.map((payment) => showFound(texts, payment))}</ul>${
    answer.isMore ? html`<p class="after">${texts.foundMore(count)}</p>` : null
  }`;
}

function showFound(
  texts: ReceiptCatalogue,
  { address, environment, amount, asset, decimals, createdAt, state }: FoundPayment,
): Html {
  const shown = inOne(amountText(texts.page, amount, asset ?? "", decimals));
  return html`<li><a href="/pay/p/${address}"><b class="num"><bdi translate="no">${shown}</bdi></b><span>${texts.foundStates[state]}</span><span>${
    createdAt === null ? null : showTime(texts.page, createdAt)
  }${environment === "test" ? html` <span class="test">${texts.page.test}</span>` : null}</span></a></li>`;
}
