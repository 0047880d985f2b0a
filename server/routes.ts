import { describeApi, type Json } from "./edge/merchant/openapi.ts";
import type { MerchantRoute } from "./edge/merchant/route.ts";
import { type Confirming, confirmRoutes } from "./features/binding/merchant.ts";
import { confirmComponents } from "./features/binding/schema.ts";
import { businessRoutes } from "./features/businesses/merchant.ts";
import { businessComponents } from "./features/businesses/schema.ts";
import { type Events, eventRoutes } from "./features/events/merchant.ts";
import { eventComponents } from "./features/events/schema.ts";
import { type Intents, intentRoutes } from "./features/intents/merchant.ts";
import { intentComponents } from "./features/intents/schema.ts";
import { type Payments, paymentRoutes } from "./features/payments/merchant.ts";
import { paymentComponents } from "./features/payments/schema.ts";
import { WEBHOOKS_TAG, webhookDocs } from "./features/webhooks/schema.ts";

/** What the merchant API's operations need. */
export type MerchantParts = Intents & Confirming & Payments & Events;

/** Every route of the merchant API, in the document's order. */
export const merchantRoutes = (parts: MerchantParts): MerchantRoute[] => [
  ...intentRoutes(parts),
  ...confirmRoutes(parts),
  ...paymentRoutes(parts),
  ...eventRoutes(parts),
  ...businessRoutes(parts),
];

/** The routes' own account of themselves, with the objects and the webhooks of the features. */
export const describeRoutes = (routes: readonly MerchantRoute[]): Json =>
  describeApi({
    routes,
    components: {
      ...intentComponents,
      ...confirmComponents,
      ...paymentComponents,
      ...eventComponents,
      ...businessComponents,
    },
    webhooks: webhookDocs,
    tags: [WEBHOOKS_TAG],
  });
