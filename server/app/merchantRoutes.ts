import type { Merchant } from "../domain/callers.ts";
import { describeApi, type Json } from "../edge/http/openapi.ts";
import type { Route } from "../edge/http/route.ts";
import { MERCHANT_DESCRIPTION } from "../edge/merchant/description.ts";
import { businessRoutes } from "../features/businesses/merchant.ts";
import { businessComponents } from "../features/businesses/schema.ts";
import { chainRoutes } from "../features/chains/merchant.ts";
import { chainComponents } from "../features/chains/schema.ts";
import { findTermsByHash } from "../features/checkout/paying/fragments.ts";
import { facilitatorRoutes } from "../features/checkout/x402/merchant.ts";
import { x402Components } from "../features/checkout/x402/schema.ts";
import type { Context } from "../features/context.ts";
import { disputeRoutes } from "../features/disputes/merchant.ts";
import { disputeComponents } from "../features/disputes/schema.ts";
import { fileRoutes } from "../features/disputes/uploads/merchant.ts";
import { uploadComponents } from "../features/disputes/uploads/schema.ts";
import { eventRoutes } from "../features/events/merchant.ts";
import { eventComponents } from "../features/events/schema.ts";
import { fulfillmentRoutes } from "../features/fulfillments/merchant.ts";
import { fulfillmentComponents } from "../features/fulfillments/schema.ts";
import { intentRoutes } from "../features/intents/merchant.ts";
import { intentComponents } from "../features/intents/schema.ts";
import { actionRoutes } from "../features/paymentActions/merchant.ts";
import { actionComponents } from "../features/paymentActions/schema.ts";
import { paymentRoutes } from "../features/payments/merchant.ts";
import { paymentComponents } from "../features/payments/schema.ts";
import { confirmRoutes } from "../features/recording/merchant.ts";
import { confirmComponents } from "../features/recording/schema.ts";
import { WEBHOOKS_TAG, webhookDocs } from "./eventDocs/webhookDocs.ts";

/** Every route of the merchant API, in the document's order. */
export const merchantRoutes = (ctx: Context): Route<Merchant>[] => [
  ...intentRoutes(ctx),
  ...confirmRoutes(ctx),
  ...paymentRoutes(ctx),
  ...actionRoutes(ctx),
  ...disputeRoutes(ctx),
  ...fileRoutes(ctx),
  ...fulfillmentRoutes({ ...ctx, findTerms: findTermsByHash }),
  ...eventRoutes(ctx),
  ...businessRoutes(ctx),
  ...chainRoutes(ctx),
  ...facilitatorRoutes(ctx),
];

/** The OpenAPI document of the routes, with the objects and webhooks of the features. */
export const describeRoutes = (routes: readonly Route<Merchant>[]): Json =>
  describeApi({
    door: MERCHANT_DESCRIPTION,
    routes,
    components: {
      ...intentComponents,
      ...confirmComponents,
      ...paymentComponents,
      ...actionComponents,
      ...disputeComponents,
      ...uploadComponents,
      ...fulfillmentComponents,
      ...eventComponents,
      ...businessComponents,
      ...chainComponents,
      ...x402Components,
    },
    webhooks: webhookDocs,
    tags: [WEBHOOKS_TAG],
  });
