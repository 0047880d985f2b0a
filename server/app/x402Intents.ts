import { BuyerError } from "../edge/buyer/error.ts";
import type { OfferIntents } from "../features/checkout/x402/merchant.ts";
import type { Context } from "../features/context.ts";
import { createAll } from "../features/intents/actions.ts";
import { OfferEndedError } from "../features/intents/intent.ts";
import { findIntentByPaymentId } from "../features/intents/queries.ts";

/** Makes the intent of an offer that a merchant's server made, once its payment can land (§4.23). */
export const x402Intents = (ctx: Context): OfferIntents => ({
  findIntent: (tenant, paymentId) => findIntentByPaymentId(ctx.database, tenant, paymentId),
  makeIntent: async (tenant, offer) => {
    const { recipient, amount, asset, protectionPeriod, paymentId, expiresAt } = offer;
    await ctx.checkTerms(tenant, offer, async () => undefined);
    const terms = {
      ...{ recipient, amount, asset, protectionPeriod, merchantReference: `x402-${paymentId}`, metadata: "{}" },
      ...{ description: null, returnUrl: null, locale: null, price: null, quote: null, sealedEmail: null },
    };
    const offered = { paymentId, expiresAt };
    const made = await createAll(ctx, tenant, [terms], async () => undefined, 0, offered).catch((error: unknown) => {
      throw error instanceof OfferEndedError ? new BuyerError("expired", (texts) => texts.x402.offerEnded) : error;
    });
    if ("intents" in made) return made.intents[0]!.id;
    // Another request with the same payment was first.
    const other = await findIntentByPaymentId(ctx.database, tenant, paymentId);
    if (other === null) throw made.refused[0]!.error;
    return other;
  },
});
