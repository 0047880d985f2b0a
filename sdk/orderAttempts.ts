import { toDecimal } from "./amounts.ts";
import type { Holdfast } from "./client.ts";
import {
  IdempotencyConflictError,
  IntentNotCancelableError,
  InvalidRequestError,
  ReferenceInUseError,
} from "./errors.ts";
import type { NewPaymentIntent, PaymentIntent } from "./schema.ts";

/** An attempt to have an order paid. Numbers begin at 1. The intent is null until the create is answered, and empty if it was refused. */
export interface OrderAttempt {
  readonly number: number;
  readonly intent: string | null;
}

/** The attempts of one order, as the shop's database holds them. */
export interface OrderAttempts {
  last(): Promise<OrderAttempt | undefined>;
  /** Saves an attempt without an intent; nothing changes if it is there. */
  begin(number: number): Promise<void>;
  save(number: number, intent: string): Promise<void>;
  /** Saves an empty intent, unless the attempt has one: another call made it meanwhile. */
  refuse(number: number): Promise<void>;
}

/** The place for the buyer of an order: its open intent; none, once it is paid. */
export type OrderCheckout =
  | { readonly state: "open"; readonly intent: string; readonly checkoutUrl: string }
  | { readonly state: "paid"; readonly intent: string };

/**
 * The checkout of an order whose id is the terms' `merchantReference`. Returns null after it made a new attempt: read the
 * order anew, and call it again. Calls at once, and calls that were killed, make one intent for one attempt.
 */
export async function openAttempt(
  holdfast: Holdfast,
  terms: NewPaymentIntent,
  attempts: OrderAttempts,
): Promise<OrderCheckout | null> {
  const last = await attempts.last();
  const open = last?.intent ? await reuse(holdfast, last.intent, terms) : null;
  if (open !== null) return open;
  // An attempt without an answer was killed before it came: its number makes the same intent.
  const number = last?.intent === null ? last.number : (last?.number ?? 0) + 1;
  await attempts.begin(number);
  await create(holdfast, terms, number, attempts);
  return null;
}

/** Returns null if the next attempt is to be made: this one is over, or is canceled now since its terms are old. */
async function reuse(holdfast: Holdfast, id: string, terms: NewPaymentIntent): Promise<OrderCheckout | null> {
  const intent = await holdfast.paymentIntents.retrieve(id);
  if (isPaidInTime(intent)) return { state: "paid", intent: id };
  const { checkoutUrl } = intent;
  if (checkoutUrl === null) return null;
  if (hasTerms(intent, terms)) return { state: "open", intent: id, checkoutUrl };
  return (await cancelAttempt(holdfast, id)) ? null : { state: "paid", intent: id };
}

/**
 * Saves the answer with the attempt. A refusal that the service keeps under the key is an empty intent, so that the next
 * attempt, maybe with other settings, has a key of its own.
 */
async function create(
  holdfast: Holdfast,
  terms: NewPaymentIntent,
  number: number,
  attempts: OrderAttempts,
): Promise<void> {
  const idempotencyKey = `${terms.merchantReference}:${number}`;
  try {
    await attempts.save(number, (await holdfast.paymentIntents.create(terms, { idempotencyKey })).id);
  } catch (error) {
    // Keys are kept for a day: after that, the open intent that has the order's id is the one of an attempt.
    if (error instanceof ReferenceInUseError) return attempts.save(number, error.intent);
    if (error instanceof IdempotencyConflictError) return attempts.refuse(number);
    if (error instanceof InvalidRequestError) await attempts.refuse(number);
    throw error;
  }
}

/** Cancels an attempt's intent, unless it is over. Returns false if it is paid: then refund the order. */
export async function cancelAttempt({ paymentIntents }: Holdfast, id: string): Promise<boolean> {
  try {
    await paymentIntents.cancel(id);
    return true;
  } catch (error) {
    if (!(error instanceof IntentNotCancelableError)) throw error;
    return !isPaidInTime(await paymentIntents.retrieve(id));
  }
}

/**
 * True if an intent asks for an order's total, such as "24.50" of "USD", whatever the shop's settings say since it was made:
 * for that price or, without a price, for as many tokens.
 */
export async function isForTotal(
  holdfast: Holdfast,
  { price, amount, asset }: PaymentIntent,
  total: { readonly currency: string; readonly amount: string },
): Promise<boolean> {
  if (price) return price.currency === total.currency && price.amount === total.amount;
  const { decimals } = await holdfast.assets.retrieve(asset);
  return toDecimal(amount, decimals) === total.amount.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

/**
 * Makes an intent of these terms, and cancels it: shops try their settings so when they are saved. Returns what its buyer
 * would have paid, such as "1 USDC to Demo shop (test)"; throws if there is no such checkout.
 */
export async function tryTerms(
  holdfast: Holdfast,
  terms: Omit<NewPaymentIntent, "merchantReference">,
): Promise<string> {
  // A person waits for the answer, and a rate that is missing now is an answer.
  const once = { maxRetries: 0 };
  const { name, environment } = await holdfast.me.retrieve(once);
  const merchantReference = `try-${crypto.randomUUID()}`;
  const { id, amount, asset } = await holdfast.paymentIntents.create({ ...terms, merchantReference }, once);
  // Buyers can pay: that this one expires instead of being canceled is nothing that the person can mend.
  await holdfast.paymentIntents.cancel(id, once).catch(() => undefined);
  const { symbol, decimals } = await holdfast.assets.retrieve(asset, once);
  return `${toDecimal(amount, decimals)} ${symbol ?? asset} to ${name} (${environment})`;
}

const isPaidInTime = ({ payment }: PaymentIntent): boolean =>
  payment !== null &&
  payment.status !== "refunded" &&
  (payment.lateReason === null || payment.lateReason === "found_after_expiry");

/** False after an edit of the order, or of the shop's settings: the terms of an open intent are old. */
function hasTerms(intent: PaymentIntent, terms: NewPaymentIntent): boolean {
  const isSame = intent.recipient === terms.recipient && intent.asset === terms.asset;
  const { price } = intent;
  const isSamePrice = price?.amount === terms.price?.amount && price?.currency === terms.price?.currency;
  return isSame && isSamePrice && (terms.amount === undefined || terms.amount === intent.amount);
}
