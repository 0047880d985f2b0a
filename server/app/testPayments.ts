import { randomBytes } from "node:crypto";
import { findBusinessProfile } from "../features/businesses/queries.ts";
import type { Context } from "../features/context.ts";
import { draftCreation, insertIntents } from "../features/intents/createIntent.ts";
import { lifetimeOf, type NewIntent, statusAt } from "../features/intents/intent.ts";
import { findIntents } from "../features/intents/queries.ts";
import type { TestPayments } from "../features/recipients/actions.ts";
import type { TestPayment } from "../features/recipients/recipient.ts";

/** §13.11.3: a test payment is an ordinary intent. */
export const testPayments = (ctx: Context): TestPayments => ({
  prepare: async (tenant, given) => {
    const terms: NewIntent = {
      ...given,
      // The shortest period: the money should soon arrive in the wallet.
      protectionPeriod: "oneHour",
      merchantReference: `test-payment-${randomBytes(6).toString("hex")}`,
      metadata: "{}",
      description: null,
      returnUrl: null,
      locale: null,
      price: null,
      quote: null,
      sealedEmail: null,
    };
    await ctx.checkTerms(tenant, terms, async () => undefined);
    return async (db, now) => {
      const profile = await findBusinessProfile(db, tenant.businessId);
      const lifetime = lifetimeOf(profile?.intentLifetimeMinutes ?? null, ctx.lifetimeMs);
      const creation = draftCreation({ ...ctx, lifetimeMs: lifetime }, tenant, terms, now, null);
      const [outcome] = await insertIntents(db, [creation]);
      return outcome!.made ? creation.intent.id : null;
    };
  },
  find: async (db, tenant, intentIds, now) => {
    if (intentIds.length === 0) return new Map<string, TestPayment>();
    const found = await findIntents(
      db,
      intentIds.map((id) => ({ tenant, id })),
    );
    const shown = found.flatMap((one) => (one === null ? [] : [one]));
    return new Map(
      shown.map(({ intent, payment }) => [
        intent.id,
        {
          intentId: intent.id,
          asset: intent.asset,
          amount: intent.amount,
          intentStatus: statusAt(intent, now),
          paymentStatus: payment?.status ?? null,
          amountReleased: payment?.amountReleased ?? "0",
          protectionDeadline: payment?.protectionDeadline ?? null,
        },
      ]),
    );
  },
});
