import type { Merchant } from "../domain/callers.ts";
import { describeApi, type Json } from "../edge/http/openapi.ts";
import type { Route } from "../edge/http/route.ts";
import { MERCHANT_DESCRIPTION } from "../edge/merchant/description.ts";
import { businessRoutes } from "../features/businesses/merchant.ts";
import { businessComponents } from "../features/businesses/schema.ts";
import type { ChainHeads } from "../features/chains/head.ts";
import { chainRoutes } from "../features/chains/merchant.ts";
import { chainComponents } from "../features/chains/schema.ts";
import { findTermsByHash } from "../features/checkout/paying/fragments.ts";
import { facilitatorRoutes } from "../features/checkout/x402/merchant.ts";
import { x402Components } from "../features/checkout/x402/schema.ts";
import type { X402 } from "../features/checkout/x402/settle.ts";
import type { Context } from "../features/context.ts";
import { disputeRoutes } from "../features/disputes/merchant.ts";
import { disputeComponents } from "../features/disputes/schema.ts";
import { fileRoutes } from "../features/disputes/uploads/merchant.ts";
import { uploadComponents } from "../features/disputes/uploads/schema.ts";
import type { EventWaiting } from "../features/events/longPoll.ts";
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
import { findHold } from "../features/recording/queries.ts";
import { confirmComponents } from "../features/recording/schema.ts";
import type { BatchOptions } from "../store/batchStatements.ts";
import { WEBHOOKS_TAG, webhookDocs } from "./eventDocs/webhookDocs.ts";
import { x402Intents } from "./x402Intents.ts";

/** Parts of the start that routes of merchants need. */
interface MerchantParts {
  readonly batching: BatchOptions;
  readonly waiting: EventWaiting;
  readonly heads: ChainHeads;
  readonly x402: X402;
}

/** Every route of the merchant API, in the document's order. */
export const merchantRoutes = (ctx: Context, { batching, waiting, heads, x402 }: MerchantParts): Route<Merchant>[] => [
  ...intentRoutes(ctx, batching),
  ...confirmRoutes(ctx),
  ...paymentRoutes(ctx),
  ...actionRoutes(ctx),
  ...disputeRoutes(ctx),
  ...fileRoutes(ctx),
  ...fulfillmentRoutes(ctx, findTermsByHash),
  ...eventRoutes(ctx, waiting),
  ...businessRoutes(ctx),
  ...chainRoutes(ctx, heads, (environment) => findHold(ctx.database, environment)),
  ...facilitatorRoutes(ctx, { x402, ...x402Intents(ctx) }),
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
