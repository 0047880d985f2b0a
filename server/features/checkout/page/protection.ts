import { type Html, html } from "../../../edge/html/page.ts";
import { DISPUTE_LAPSE_MS, type Payment } from "../../payments/payment.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CheckoutState, CheckoutView } from "./checkout.ts";
import { amountWords, inOne, periodWords, timeWords } from "./words.ts";

interface Step {
  readonly title: string;
  readonly text: string | Html;
  readonly mark: "done" | "now" | "ahead";
}

/** The protection as a line of three steps, with the arbiter. */
export function showProtection(texts: Catalogue, view: CheckoutView, state: CheckoutState): Html | null {
  // The intent was not paid, and no longer can be.
  if (state === "expired" || state === "canceled") return null;
  return html`<section class="protection">
<h2>${texts.protection}</h2>
<ol class="line">${stepsOf(texts, view, state).map(
    ({ title, text, mark }) =>
      html`<li class="${mark}"${mark === "now" ? { html: ' aria-current="step"' } : null}><b>${title}</b><span>${text}</span></li>`,
  )}</ol>
${showJudge(texts, view)}
</section>`;
}

function stepsOf(texts: Catalogue, view: CheckoutView, state: CheckoutState): Step[] {
  const { intent, payment, decimals } = view;
  const words = (amount: string) => inOne(amountWords(texts, amount, intent.asset, decimals));
  const amount = words(intent.amount);
  const shop: Step = { title: texts.shopStep, text: texts.shopText, mark: "ahead" };
  const period = periodWords(texts, intent.protectionPeriod);
  if (payment === null)
    return [
      { title: texts.payStep, text: texts.payText(amount), mark: "now" },
      { title: texts.objectStep(period), text: texts.objectText, mark: "ahead" },
      shop,
    ];
  const inEscrow = words((BigInt(payment.amount) - BigInt(payment.amountRefunded)).toString());
  const at = (time: Date) => showTime(texts, time);
  const paid: Step = { title: texts.paidStep, text: html`${texts.paidAt} ${at(payment.createdAt)}`, mark: "done" };
  const objected: Step = {
    title: payment.disputedAt === null ? texts.undisputedStep : texts.disputedStep,
    text: payment.disputedAt === null ? texts.undisputedText : at(payment.disputedAt),
    mark: "done",
  };
  const decided: Step = { ...decisionOf(texts, payment.outcome), mark: "done" };
  const outcome = payment.outcome === null || payment.outcome === "settled" ? objected : decided;
  const back = BigInt(payment.refundTotal);
  const toShop = words((BigInt(payment.amount) - back).toString());
  const leaving =
    back === 0n
      ? texts.leavingToShop(toShop)
      : texts.leavingToBuyer(words(payment.refundTotal)) +
        (payment.refundTotal === payment.amount ? "" : ` ${texts.leavingToShop(toShop)}`);
  const last = (title: string, text: string | Html): Step => ({ title, text, mark: "done" });
  switch (state) {
    case "settling":
      return [paid, objected, { title: texts.leavingStep, text: texts.leavingToShop(inEscrow), mark: "now" }];
    case "disputed": {
      const by = new Date(payment.disputedAt!.getTime() + DISPUTE_LAPSE_MS);
      const now: Step = { title: texts.disputedStep, text: html`${texts.disputedText} ${at(by)}.`, mark: "now" };
      return [paid, now, { title: texts.decisionStep, text: texts.decidedText, mark: "ahead" }];
    }
    case "decided":
      return [paid, decided, { title: texts.leavingStep, text: leaving, mark: "now" }];
    case "settled":
      return [paid, outcome, last(texts.shopPaidStep, payment.settledAt === null ? "" : at(payment.settledAt))];
    case "partly_refunded":
      return [
        paid,
        outcome,
        last(texts.splitStep, texts.splitText(words(payment.amountRefunded), words(payment.amountReleased))),
      ];
    case "refunded":
      return [paid, decided, last(texts.refundedStep, payment.refundedAt === null ? "" : at(payment.refundedAt))];
    default:
      return [
        { ...paid, text: texts.paidText(inEscrow) },
        {
          title: texts.objectStep(period),
          text: html`${texts.objectUntil} ${at(payment.protectionDeadline)}.`,
          mark: "now",
        },
        shop,
      ];
  }
}

/** The party that decided, and its decision. */
function decisionOf(texts: Catalogue, outcome: Payment["outcome"]): Pick<Step, "title" | "text"> {
  switch (outcome) {
    case "released_by_sender":
      return { title: texts.releasedStep, text: texts.releasedText };
    case "refunded_by_recipient":
      return { title: texts.givenBackStep, text: texts.givenBackText };
    case "refunded_unresolved":
      return { title: texts.unresolvedStep, text: texts.unresolvedText };
    default:
      return { title: texts.decidedStep, text: texts.decidedText };
  }
}

/** The page's script replaces it by the reader's time zone; the exact time stays in the attribute. */
const showTime = (texts: Catalogue, time: Date): Html =>
  html`<time datetime="${time.toISOString()}" title="${time.toISOString()}">${timeWords(texts, time)}</time>`;

/** A payment's arbiter is fixed when it is made. Until then, show the one that the buyer's transaction would name. */
function showJudge(texts: Catalogue, { arbiter, payment, intent }: CheckoutView): Html {
  const address = payment?.arbiter ?? arbiter.address;
  const isLabelled = address === arbiter.address && arbiter.name !== null;
  const judgesItself = address === intent.recipient || (arbiter.isRecipient && address === arbiter.address);
  return html`<div class="judge"><p><b>${texts.judge} ${
    isLabelled
      ? html`<bdi>${arbiter.name}</bdi>`
      : address === null
        ? texts.judgeUnknown
        : html`<code dir="ltr">${address}</code>`
  }</b>${isLabelled && arbiter.domain !== null ? html` (<a href="https://${arbiter.domain}" rel="noopener noreferrer"><bdi>${arbiter.domain}</bdi></a>)` : null}, ${texts.judgeText} ${texts.rights}</p>
${isLabelled && address !== null ? html`<p><code dir="ltr">${address}</code></p>` : null}
${judgesItself ? html`<p class="note bad">${texts.judgeIsShop}</p>` : null}
</div>`;
}
