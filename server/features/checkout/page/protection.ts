import { filled, type Html, html } from "../../../edge/html/page.ts";
import type { UsualOutcomes } from "../../disputes/dispute.ts";
import type { Catalogue } from "../languages/language.ts";
import { showFolded } from "./address.ts";
import type { Arbiter, CheckoutState, CheckoutView } from "./checkout.ts";
import { amountText, inOne, periodText, timeText } from "./text.ts";

export interface Step {
  readonly title: string;
  readonly text: string | Html;
  readonly mark: "done" | "now" | "ahead";
}

/** The protection as a line of three steps, with the arbiter, while the intent can be paid. Then the receipt shows them. */
export function showProtection(texts: Catalogue, view: CheckoutView, state: CheckoutState): Html | null {
  const { intent, decimals, payment, arbiter } = view;
  if (payment !== null || state === "expired" || state === "canceled") return null;
  const amount = inOne(amountText(texts, intent.amount, intent.asset, decimals));
  return html`<section class="protection">
<h2>${texts.protection}</h2>
${showSteps([
  { title: texts.payStep, text: texts.payText(amount), mark: "now" },
  {
    title: texts.objectStep(periodText(texts, intent.protectionPeriod)),
    text: texts.objectText,
    mark: "ahead",
  },
  { title: texts.shopStep, text: texts.shopText, mark: "ahead" },
])}
${showJudge(texts, arbiter)}
${showRules(texts, view.usualOutcomes)}
</section>`;
}

/** The rules of a decision, with the operator's words on what each reason usually leads to. */
const showRules = (texts: Catalogue, outcomes: UsualOutcomes): Html =>
  html`<details class="careful"><summary>${texts.rules}</summary><p>${texts.rulesText}</p>${Object.entries(
    outcomes,
  ).map(
    ([reason, outcome]) =>
      html`<p><b>${texts.reasonNames[reason as keyof typeof texts.reasonNames]}:</b> <bdi translate="no">${outcome}</bdi></p>`,
  )}</details>`;

export const showSteps = (steps: readonly Step[]): Html =>
  html`<ol class="line">${steps.map(
    ({ title, text, mark }) =>
      html`<li class="${mark}"${mark === "now" ? { html: ' aria-current="step"' } : null}><b>${title}</b><span>${text}</span></li>`,
  )}</ol>`;

/** The page's script replaces it by the reader's time zone; the exact time stays in the attribute. */
export const showTime = (texts: Catalogue, time: Date): Html =>
  html`<time datetime="${time.toISOString()}" title="${time.toISOString()}">${timeText(texts, time)}</time>`;

type JudgeTexts = Readonly<Record<"judge" | "judgeUnknown" | "judgeIsShop" | "judgeIsOwn" | "rights", string>>;
export const showJudge = (texts: JudgeTexts, { address, name, domain, isRecipient, isOwn }: Arbiter): Html => {
  const shown =
    name !== null
      ? html`<bdi translate="no">${name}</bdi>`
      : address === null
        ? texts.judgeUnknown
        : showFolded(address);
  const page =
    name !== null && domain !== null
      ? html` (<a href="https://${domain}" rel="noopener noreferrer"><bdi translate="no">${domain}</bdi></a>)`
      : null;
  return html`<div class="judge"><p>${filled(texts.judge, { arbiter: html`<b>${shown}</b>${page}` })} ${texts.rights}</p>
${name !== null && address !== null ? html`<p>${showFolded(address)}</p>` : null}
${isRecipient ? html`<p class="note bad">${texts.judgeIsShop}</p>` : null}
${isOwn ? html`<p class="note bad">${texts.judgeIsOwn}</p>` : null}
</div>`;
};
