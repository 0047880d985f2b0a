export { fromDecimal, toDecimal } from "./amounts.ts";
export { Call, List, type Page } from "./calls.ts";
export { type ConfirmOptions, Holdfast, type HoldfastOptions, type OpenPaymentIntent } from "./client.ts";
export * from "./errors.ts";
export type { AnyEvent, NewerType, UnknownEvent } from "./events.ts";
export type { EventStream, FollowOptions } from "./follow.ts";
export { type FulfillOptions, paymentOf, shouldFulfill } from "./fulfill.ts";
export {
  cancelAttempt,
  isForTotal,
  type OrderAttempt,
  type OrderAttempts,
  type OrderCheckout,
  openAttempt,
  tryTerms,
} from "./orderAttempts.ts";
export {
  type ExtraPayment,
  type OrderProgress,
  type OrderSummary,
  type SummaryOptions,
  summarizeOrder,
} from "./orderSummary.ts";
export type { Answered, Attempt, CallOptions, ResponseFacts } from "./request.ts";
export type * from "./schema.ts";
export type { WaitOptions } from "./waitFor.ts";
export {
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookErrorReason,
  type WebhookHeaders,
} from "./webhooks.ts";
