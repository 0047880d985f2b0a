// Compiled by a test against the published types, never run: what the types promise.
import {
  type AnyEvent,
  type ApiError,
  Holdfast,
  type InvalidRequestError,
  isApiError,
  type NewerType,
  type PaymentEvent,
  type PaymentIntentEvent,
  type ReferenceInUseError,
  type TestEvent,
  type UnknownEvent,
} from "@holdfast/sdk";
import type { verifyWebhook } from "@holdfast/sdk/webhooks";

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const yes = <T extends true>(): T => true as T;

export function narrowsByType(event: AnyEvent): void {
  if (event.type === "payment.protected") yes<Same<typeof event, PaymentEvent>>();
  if (event.type === "payment_intent.paid") yes<Same<typeof event, PaymentIntentEvent>>();
  // @ts-expect-error There is no such type.
  if (event.type === "payment.proteced") return;
  switch (event.type) {
    case "payment.protected":
      return void event.data.object.protectionDeadline;
    case "payment_intent.payment_mismatch":
      return void event.data.mismatch;
  }
  const text: string = `${event.type} ${event.sequence}`;
  void text;
}

export function narrowsByCode(error: unknown): void {
  if (!isApiError(error)) return;
  if (error.code === "reference_in_use") yes<Same<typeof error, ReferenceInUseError>>();
  if (error.code === "invalid_request") yes<Same<typeof error, InvalidRequestError>>();
  // @ts-expect-error There is no such code.
  if (error.code === "reference_used") return;
  const any: ApiError = error;
  void any.details.anything;
}

export async function takesWhatTheApiTakes(client: Holdfast): Promise<void> {
  const intent = {
    recipient: "a",
    amount: "1",
    asset: "b",
    protectionPeriod: "oneDay",
    merchantReference: "c",
  } as const;
  await client.paymentIntents.create({ ...intent, description: null });
  await client.paymentIntents.create(intent, { idempotencyKey: undefined });
  // @ts-expect-error An amount is a string.
  await client.paymentIntents.create({ ...intent, amount: 1 });
  // @ts-expect-error There is no such period.
  await client.paymentIntents.create({ ...intent, protectionPeriod: "oneWeek" });
  // @ts-expect-error There is no such filter.
  client.payments.list({ state: "protected" });
  client.paymentIntents.list({ createdAfter: new Date(), status: "paid", limit: 5 });
  client.events.list({ type: ["payment.*", "payment_intent.paid"] });
  // @ts-expect-error There is no such type.
  client.events.follow({ types: ["payment.paid"] });
  const payment = await client.payments.retrieve("x");
  void payment.nextActions;
  const page = await client.payments.list();
  yes<Same<typeof page.hasMore, boolean>>();
  // @ts-expect-error A key is needed.
  new Holdfast({ baseUrl: "https://pay.example.com" });
}

export const checks: true[] = [
  yes<Same<Extract<AnyEvent["type"], NewerType>, NewerType>>(),
  yes<
    Same<Awaited<ReturnType<typeof verifyWebhook>> extends AnyEvent | TestEvent | UnknownEvent ? true : false, true>
  >(),
];
