import type { FastifyInstance } from "fastify";
import { isIntentId } from "../../domain/ids.ts";
import { type Html, type HtmlPage, html, sendPage } from "../../edge/html/page.ts";
import type { Database } from "../../store/database.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import { amountInWords, periodInWords, statusMessage } from "./checkout.ts";
import { type CheckoutView, findCheckout } from "./queries.ts";
import { CHECKOUT_STYLES } from "./styles.ts";

export interface CheckoutDeps {
  readonly database: Database;
  /** Whether `test` is the local chain, on which `npm run pay` plays the buyer. */
  readonly localChain: boolean;
}

/** Seconds after which the page loads again while the payment may change. */
const REFRESH_SECONDS = 5;

/** The hosted checkout (§2.1): a page for each intent, readable without a script. */
export function registerCheckout(app: FastifyInstance, { database, localChain }: CheckoutDeps): void {
  app.get<{ Params: { id: string } }>("/pay/i/:id", async (request, reply) => {
    const { id } = request.params;
    try {
      const view = isIntentId(id) ? await findCheckout(database, id) : null;
      if (view === null)
        return sendPage(
          reply,
          404,
          notice(
            "Not found",
            "There is no payment under this address. Check the link, or ask the merchant for a new one.",
          ),
        );
      return sendPage(reply, 200, checkoutPage(view, localChain));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      return sendPage(reply, 503, {
        ...notice("One moment", "The service is not available right now. This page tries again by itself."),
        refreshSeconds: REFRESH_SECONDS,
      });
    }
  });
}

const notice = (title: string, text: string): HtmlPage => ({
  title,
  styles: CHECKOUT_STYLES,
  refreshSeconds: null,
  body: html`<main><div class="card"><h1>Holdfast</h1><p class="amount">${title}</p><p>${text}</p></div></main>`,
});

function checkoutPage(view: CheckoutView, localChain: boolean): HtmlPage {
  const { intent, businessName, payment } = view;
  const message = statusMessage(view);
  const open = payment === null && message.tone === "waiting";
  return {
    title: `${amountInWords(view)} to ${businessName}`,
    styles: CHECKOUT_STYLES,
    refreshSeconds: open || payment?.status === "protected" || payment?.status === "disputed" ? REFRESH_SECONDS : null,
    body: html`<main>
<div class="card">
<h1>Payment to ${businessName}</h1>
<p class="amount">${amountInWords(view)}</p>
<div class="status ${message.tone}" role="status"><strong>${message.title}</strong><p>${message.text}</p></div>
<dl>
${term("Reference", intent.merchantReference)}
${term("Buyer protection", `${periodInWords(intent.protectionPeriod)}. The funds wait in an escrow on chain; until the deadline the buyer may dispute.`)}
${code("Recipient", intent.recipient)}
${code("Token", intent.asset)}
${code("Payment id", intent.paymentId)}
${payment === null ? term("Pay until", showTime(intent.expiresAt)) : term("Protected until", showTime(payment.protectionDeadline))}
${payment === null ? null : code("Payment", payment.id)}
</dl>
</div>
${open && localChain && intent.environment === "test" ? howToPay(intent.id) : null}
<footer>${intent.environment === "test" ? "Test payment, no real money. " : ""}Protected by Holdfast</footer>
</main>`,
  };
}

const term = (name: string, text: string): Html => html`<div><dt>${name}</dt><dd>${text}</dd></div>`;
const code = (name: string, text: string): Html => html`<div><dt>${name}</dt><dd><code>${text}</code></dd></div>`;
const showTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
const howToPay = (id: string): Html =>
  html`<div class="how"><p>This runs on the local chain. Pay as a demo buyer, in the project's folder:</p><code>npm run pay -- ${id}</code></div>`;
