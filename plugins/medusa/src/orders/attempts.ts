import {
  fromDecimal,
  IdempotencyConflictError,
  IntentNotCancelableError,
  InvalidRequestError,
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

const TRIES_MAX = 4;

const serviceOf = (container: MedusaContainer): HoldfastModuleService => container.resolve(HOLDFAST_MODULE);

const listAttempts = (container: MedusaContainer, orderId: string) =>
  serviceOf(container).listHoldfastAttempts({ order_id: orderId }, { order: { number: "ASC" }, take: 1_000 });

/** The checkout of an order: its open intent, or that of the next attempt. Returns null if no such order is paid here. */
export async function openCheckout(container: MedusaContainer, orderId: string): Promise<Checkout | null> {
  if ((await findOrder(container, orderId)) === null) return null;
  return inOrder(container, orderId, async () => {
    const order = (await findOrder(container, orderId))!;
    const terms = await draftTerms(container, order);
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const last = (await listAttempts(container, orderId)).at(-1);
      if (order.isCanceled || order.payment !== null)
        return { state: order.isCanceled ? "canceled" : "paid", intent: last?.intent || null };
      const found = last?.intent ? await reuse(last.intent, terms) : null;
      if (found !== null) return found;
      // An attempt without an answer was killed before it came: its number makes the same intent.
      const attempt =
        last?.intent === null
          ? last
          : await serviceOf(container).createHoldfastAttempts({ order_id: orderId, number: (last?.number ?? 0) + 1 });
      await create(terms, `${orderId}:${attempt.number}`, async (intent) => {
        await serviceOf(container).updateHoldfastAttempts({ id: attempt.id, intent });
      });
    }
    throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, "Holdfast gave no checkout for this order. Try again.");
  });
}

/** Returns null if the next attempt is to be made: this one is over, or is canceled now since its terms are old. */
async function reuse(id: string, terms: NewPaymentIntent): Promise<Checkout | null> {
  const intent = await connect().holdfast.paymentIntents.retrieve(id);
  if (isPaidInTime(intent)) return { state: "paid", intent: id };
  const { checkoutUrl } = intent;
  if (checkoutUrl === null) return null;
  if (hasTerms(intent, terms)) return { state: "open", intent: id, checkoutUrl };
  return (await cancel(id)) ? null : { state: "paid", intent: id };
}

/**
 * Saves the answer with the attempt. A refusal that the service keeps under the key is an empty intent, so that the next
 * attempt, maybe with other settings, has a key of its own.
 */
async function create(
  terms: NewPaymentIntent,
  idempotencyKey: string,
  save: (intent: string) => Promise<void>,
): Promise<void> {
  try {
    await save((await connect().holdfast.paymentIntents.create(terms, { idempotencyKey })).id);
  } catch (error) {
    // Keys are kept for a day: after that, the open intent that has the order's id is the one of an attempt.
    if (error instanceof ReferenceInUseError) return save(error.intent);
    if (error instanceof IdempotencyConflictError) return save("");
    if (error instanceof InvalidRequestError) await save("");
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
      if (intent && order.payment === null && !(await cancel(intent)))
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

/** The newest intent of an order as the API showed it some seconds ago at most, for the buyer's eyes. */
export async function readIntentOf(container: MedusaContainer, orderId: string) {
  if ((await findOrder(container, orderId)) === null) return null;
  const intent = (await listAttempts(container, orderId)).at(-1)?.intent;
  if (!intent) return { status: "unpaid", payment_status: null, receipt_url: null };
  const known = readIntents.get(intent);
  if (known !== undefined && performance.now() - known.at < READ_MS) return known.state;
  const { status, payment } = await connect().holdfast.paymentIntents.retrieve(intent);
  const state = { status, payment_status: payment?.status ?? null, receipt_url: payment?.receiptUrl ?? null };
  if (readIntents.size >= READ_MAX) readIntents.clear();
  readIntents.set(intent, { at: performance.now(), state });
  return state;
}

/** A page that anybody loads again and again must not use up the requests of the shop's key. */
const READ_MS = 5_000;
const READ_MAX = 1_000;
const readIntents = new Map<string, { at: number; state: object }>();
