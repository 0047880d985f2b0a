import {
  fromDecimal,
  IntentNotCancelableError,
  type NewPaymentIntent,
  type PaymentIntent,
  ReferenceInUseError,
} from "@holdfast/sdk";
import type { MedusaContainer } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import { connect } from "../connection";
import { HOLDFAST_MODULE } from "../modules/holdfast";
import type HoldfastModuleService from "../modules/holdfast/service";
import { moneyText } from "../money";
import { findOrder, inOrder, type Order } from "./order";
import { readSettings } from "./settings";

/** The answer to a buyer who wants to pay an order. */
export type Checkout =
  | { readonly state: "open"; readonly intent: string; readonly checkoutUrl: string }
  | { readonly state: "paid" | "canceled"; readonly intent: string | null };

const serviceOf = (container: MedusaContainer): HoldfastModuleService => container.resolve(HOLDFAST_MODULE);

const listAttempts = (container: MedusaContainer, orderId: string) =>
  serviceOf(container).listHoldfastAttempts({ order_id: orderId }, { order: { number: "ASC" }, take: 1_000 });

/** The checkout of an order: its open intent, or that of the next attempt. Returns null if no such order is paid here. */
export async function openCheckout(container: MedusaContainer, orderId: string): Promise<Checkout | null> {
  if ((await findOrder(container, orderId)) === null) return null;
  return inOrder(container, orderId, async () => {
    const order = (await findOrder(container, orderId))!;
    const attempts = await listAttempts(container, orderId);
    const last = attempts.at(-1);
    if (order.isCanceled) return { state: "canceled", intent: last?.intent ?? null };
    const terms = await draftTerms(container, order);
    if (last !== undefined && last.intent !== null) {
      const intent = await connect().holdfast.paymentIntents.retrieve(last.intent);
      if (order.payment !== null || intent.status === "paid") return { state: "paid", intent: intent.id };
      if (intent.checkoutUrl !== null && hasTerms(intent, terms)) return showOpen(intent, intent.checkoutUrl);
      if (intent.checkoutUrl !== null && !(await cancel(intent.id))) return { state: "paid", intent: intent.id };
    }
    // An attempt without an intent was killed before the answer came: its number makes the same intent.
    const attempt =
      last?.intent === null
        ? last
        : await serviceOf(container).createHoldfastAttempts({ order_id: orderId, number: (last?.number ?? 0) + 1 });
    const intent = await create(terms, `${orderId}:${attempt.number}`);
    await serviceOf(container).updateHoldfastAttempts({ id: attempt.id, intent: intent.id });
    if (intent.checkoutUrl === null) return { state: "paid", intent: intent.id };
    return showOpen(intent, intent.checkoutUrl);
  });
}

const showOpen = ({ id }: PaymentIntent, checkoutUrl: string): Checkout => ({ state: "open", intent: id, checkoutUrl });

/** Keys are kept for a day: after that, the open intent that has the order's id is the one of this attempt. */
async function create(terms: NewPaymentIntent, idempotencyKey: string): Promise<PaymentIntent> {
  const { paymentIntents } = connect().holdfast;
  try {
    return await paymentIntents.create(terms, { idempotencyKey });
  } catch (error) {
    if (error instanceof ReferenceInUseError) return paymentIntents.retrieve(error.intent);
    throw error;
  }
}

/** Returns false if the intent is paid. */
async function cancel(id: string): Promise<boolean> {
  const { paymentIntents } = connect().holdfast;
  try {
    await paymentIntents.cancel(id);
    return true;
  } catch (error) {
    if (!(error instanceof IntentNotCancelableError)) throw error;
    return !isPaidInTime(await paymentIntents.retrieve(id));
  }
}

const isPaidInTime = ({ payment }: PaymentIntent): boolean =>
  payment !== null &&
  payment.status !== "refunded" &&
  (payment.lateReason === null || payment.lateReason === "found_after_expiry");

/** Cancels what is open of an order that the shop gives up. Throws if it is paid: such an order is refunded, not canceled. */
export async function cancelCheckout(container: MedusaContainer, orderId: string): Promise<void> {
  const order = await findOrder(container, orderId);
  if (order === null) return;
  await inOrder(container, orderId, async () => {
    for (const { intent } of await listAttempts(container, orderId))
      if (intent !== null && order.payment === null && !(await cancel(intent)))
        throw new MedusaError(MedusaError.Types.NOT_ALLOWED, "This order was paid a moment ago. Refund it instead.");
  });
}

async function draftTerms(container: MedusaContainer, order: Order): Promise<NewPaymentIntent> {
  const { recipient, protection_period, tokens } = await readSettings(container);
  const token = tokens[order.currency];
  if (recipient === null || token === undefined)
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      `Holdfast has no ${recipient === null ? "recipient" : `token for ${order.currency.toUpperCase()}`}: set it in the shop's admin, under Settings, Holdfast.`,
    );
  const amount = moneyText(order.session.amount, order.currency);
  const money =
    token.amounts === "price"
      ? { price: { currency: order.currency.toUpperCase() as "USD", amount } }
      : { amount: fromDecimal(amount, (await connect().holdfast.assets.retrieve(token.mint)).decimals) };
  const { returnUrl } = connect();
  return {
    ...{ recipient, asset: token.mint, protectionPeriod: protection_period, merchantReference: order.id, ...money },
    ...{ description: `Order ${order.displayId}`, metadata: { medusaOrder: order.displayId } },
    ...(returnUrl === null ? {} : { returnUrl }),
  };
}

/** An order that was edited, or settings that were, make the terms of an open intent old. */
export function hasTerms(intent: PaymentIntent, terms: NewPaymentIntent): boolean {
  const isSame = intent.recipient === terms.recipient && intent.asset === terms.asset;
  const { price } = intent;
  const isSamePrice = price?.amount === terms.price?.amount && price?.currency === terms.price?.currency;
  return isSame && isSamePrice && (terms.amount === undefined || terms.amount === intent.amount);
}

/** True if the intent asks for what the order costs. */
export async function isForOrder(container: MedusaContainer, intent: PaymentIntent, order: Order): Promise<boolean> {
  const { amount, price } = await draftTerms(container, order);
  return price ? intent.price?.amount === price.amount : intent.amount === amount;
}

/** The newest intent of an order as the API shows it now, for the buyer's eyes. */
export async function readIntentOf(container: MedusaContainer, orderId: string) {
  if ((await findOrder(container, orderId)) === null) return null;
  const intent = (await listAttempts(container, orderId)).at(-1)?.intent ?? null;
  if (intent === null) return { status: "unpaid", payment_status: null, receipt_url: null };
  const { status, payment } = await connect().holdfast.paymentIntents.retrieve(intent);
  return { status, payment_status: payment?.status ?? null, receipt_url: payment?.receiptUrl ?? null };
}
