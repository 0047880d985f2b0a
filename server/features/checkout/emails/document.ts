import { type Html, type HtmlPage, html } from "../../../edge/html/page.ts";
import type { Consent } from "../../buyerEmails/buyerEmail.ts";
import type { EmailPageCatalogue } from "../languages/language.ts";
import { pageShell, showLanguages } from "../page/document.ts";
import type { Spoken } from "../page/readRoutes.ts";
import { RECEIPT_STYLES } from "../receipt/styles.ts";

const showFoot = ({ page }: EmailPageCatalogue, choices: Spoken["choices"]): Html | null =>
  choices.length === 0 ? null : html`<footer>${showLanguages(page, choices)}</footer>`;

/** The page on which a buyer enters an address after paying. `typed`: what was entered and is no address. */
export const enterPage = (
  { language: { emailPages: texts }, choices }: Spoken,
  intentId: string,
  typed: string | null,
): HtmlPage => ({
  ...pageShell(
    texts.page,
    texts.enterTitle,
    html`<main class="page notice find"><section class="panel">
<h1 class="title">${texts.enterTitle}</h1>
<p class="text" id="about">${texts.enterText}</p>
<form action="/pay/i/${intentId}/email" method="post"><label for="email">${texts.label}</label>
<div class="row"><input id="email" name="email" type="email" value="${typed ?? ""}" required maxlength="254" autocomplete="email" dir="ltr" aria-describedby="${typed === null ? "about" : "about problem"}"${typed === null ? null : html` aria-invalid="true"`}><button class="tool" type="submit">${texts.enter}</button></div></form>
${typed === null ? null : html`<p class="note wait" id="problem" role="alert">${texts.invalid}</p>`}
<p class="after">${texts.kept}</p>
<a class="button second" href="/pay/i/${intentId}">${texts.back}</a>
</section>${showFoot(texts, choices)}</main>`,
    null,
    RECEIPT_STYLES,
  ),
  hasForm: true,
});

/** The page of a mailbox. Both answers are presses: scanners of emails open every link. */
export function consentPage(
  { language: { emailPages: texts }, choices }: Spoken,
  key: string,
  consent: Consent,
): HtmlPage {
  const button = (set: "confirmed" | "stopped", label: string, kind: string) =>
    html`<form action="/pay/emails?key=${key}" method="post"><button class="${kind}" type="submit" name="set" value="${set}">${label}</button></form>`;
  return {
    ...pageShell(
      texts.page,
      texts.consentTitle,
      html`<main class="page notice find"><section class="panel">
<h1 class="title">${texts.consentTitle}</h1>
<p class="text" role="status">${texts.states[consent ?? "none"]}</p>
${consent === "confirmed" ? null : button("confirmed", consent === null ? texts.confirm : texts.allow, "pay")}
${consent === "stopped" ? null : html`<p class="after">${texts.stopText}</p>${button("stopped", texts.stop, "tool")}`}
</section>${showFoot(texts, choices)}</main>`,
      null,
      RECEIPT_STYLES,
    ),
    hasForm: true,
  };
}
