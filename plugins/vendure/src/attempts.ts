import {
  cancelAttempt,
  fromDecimal,
  InvalidRequestError,
  isForTotal,
  type NewPaymentIntent,
  type OrderAttempts,
  openAttempt,
  type PaymentIntent,
  tryTerms,
} from "@holdfast/sdk";
import type { Order } from "@vendure/core";
import { IsNull } from "typeorm";
import { connection } from "./connection";
import { HoldfastAttempt } from "./entities";
import { holdfastHandler } from "./handler";
import { moneyText } from "./money";
import { contextOf, findOrder, type HoldfastOrder, type Shop } from "./shop";
import { AWAITING_ORDER } from "./states";

/** The answer to a buyer who wants to pay an order. */
export type Checkout =
  | { readonly state: "open"; readonly checkoutUrl: string }
  | { readonly state: "paid" | "canceled"; readonly checkoutUrl: null };

const TRIES_MAX = 6;
const PAID: Checkout = { state: "paid", checkoutUrl: null };

const repositoryOf = (shop: Shop) => shop.connection.rawConnection.getRepository(HoldfastAttempt);

/** The attempts of an order, oldest first. */
const listAttempts = (shop: Shop, orderCode: string): Promise<HoldfastAttempt[]> =>
  repositoryOf(shop).find({ where: { orderCode }, order: { number: "ASC" }, take: 1_000 });

const attemptsOf = (shop: Shop, orderCode: string): OrderAttempts => ({
  last: async () => (await listAttempts(shop, orderCode)).at(-1),
  begin: async (number) => {
    await repositoryOf(shop).createQueryBuilder().insert().values({ orderCode, number }).orIgnore().execute();
  },
  save: async (number, intent) => void (await repositoryOf(shop).update({ orderCode, number }, { intent })),
  refuse: async (number) =>
    void (await repositoryOf(shop).update({ orderCode, number, intent: IsNull() }, { intent: "" })),
});

/** The checkout of an order: its open intent, or that of the next attempt. Returns null if no such order is paid here. */
export async function openCheckout(shop: Shop, code: string): Promise<Checkout | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const found = await findOrder(shop, code);
    if (found === null) return null;
    if (found.order.state === "Cancelled") return { state: "canceled", checkoutUrl: null };
    if (found.state.isPaid || found.order.state !== AWAITING_ORDER) return PAID;
    const terms = await draftTerms(shop, found);
    const checkout = await openAttempt(connection().holdfast, terms, attemptsOf(shop, code));
    if (checkout !== null) return checkout.state === "open" ? checkout : PAID;
  }
  throw new Error("Holdfast gave no checkout for this order. Try again.");
}

/** Cancels what is open of an order that the shop gives up. Returns false if it is paid: such an order is refunded. */
export async function cancelCheckout(shop: Shop, { order, state }: HoldfastOrder): Promise<boolean> {
  if (state.isPaid) return true;
  let isUnpaid = true;
  for (const { intent } of await listAttempts(shop, order.code))
    if (intent) isUnpaid = (await cancelAttempt(connection().holdfast, intent)) && isUnpaid;
  return isUnpaid;
}

async function draftTerms(shop: Shop, found: HoldfastOrder): Promise<NewPaymentIntent> {
  const { order, payment } = found;
  const { paymentMethod } = await shop.methods.getMethodAndOperations(await contextOf(shop, found), payment.method);
  return {
    ...(await termsOf(paymentMethod.handler, order.currencyCode, totalOf(shop, order))),
    ...{ merchantReference: order.code, description: `Order ${order.code}` },
    metadata: { vendureMethod: holdfastHandler.code },
  };
}

/** The handler of a payment method, with its settings. */
export interface Operation {
  readonly code: string;
  readonly args: readonly { readonly name: string; readonly value: string }[];
}

const valuesOf = ({ args }: Operation) => Object.fromEntries(args.map(({ name, value }) => [name, value]));

/** The terms that follow from the settings of a payment method. */
async function termsOf(
  handler: Operation,
  currency: string,
  amount: string,
): Promise<Omit<NewPaymentIntent, "merchantReference">> {
  const { recipient = "", token: asset = "", amounts, protectionPeriod } = valuesOf(handler);
  const { holdfast, returnUrl } = connection();
  const money =
    amounts === "price"
      ? { price: { currency: currency as "USD", amount } }
      : { amount: fromDecimal(amount, (await holdfast.assets.retrieve(asset)).decimals) };
  return {
    ...{ recipient, asset, ...money },
    protectionPeriod: protectionPeriod as NewPaymentIntent["protectionPeriod"],
    ...(returnUrl === null ? {} : { returnUrl }),
  };
}

/** Returns why nobody can pay by a payment method's handler; null if a buyer of one unit of its currency could, or it is another's. */
export async function findProblem(shop: Shop, handler: Operation): Promise<string | null> {
  if (handler.code !== holdfastHandler.code) return null;
  const currency = (valuesOf(handler).currency ?? "").toUpperCase();
  const precision = precisionOf(shop);
  try {
    const one = moneyText(10 ** precision, currency, precision);
    await tryTerms(connection().holdfast, await termsOf(handler, currency, one));
    return null;
  } catch (error) {
    return `${error instanceof InvalidRequestError ? `${error.param}: ` : ""}${(error as Error).message}`;
  }
}

const totalOf = (shop: Shop, { totalWithTax, currencyCode }: Order): string =>
  moneyText(totalWithTax, currencyCode, precisionOf(shop));
const precisionOf = (shop: Shop): number => shop.config.entityOptions.moneyStrategy.precision ?? 2;

/** True if the intent asks for what the order costs. */
export const isForOrder = (shop: Shop, intent: PaymentIntent, { order }: HoldfastOrder): Promise<boolean> =>
  isForTotal(connection().holdfast, intent, { currency: order.currencyCode, amount: totalOf(shop, order) });

/** The newest intent of an order as the API showed it some seconds ago at most, for the buyer's eyes. */
export async function readIntentOf(shop: Shop, code: string): Promise<object | null> {
  if ((await findOrder(shop, code)) === null) return null;
  const intent = (await listAttempts(shop, code)).at(-1)?.intent;
  if (!intent) return { status: "unpaid", paymentStatus: null, receiptUrl: null };
  const known = readIntents.get(intent);
  if (known !== undefined && performance.now() - known.at < READ_MS) return known.state;
  const { status, payment } = await connection().holdfast.paymentIntents.retrieve(intent);
  const state = { status, paymentStatus: payment?.status ?? null, receiptUrl: payment?.receiptUrl ?? null };
  if (readIntents.size >= READ_MAX) readIntents.clear();
  readIntents.set(intent, { at: performance.now(), state });
  return state;
}

/** A page that anybody loads again and again must not use up the requests of the shop's key. */
const READ_MS = 5_000;
const READ_MAX = 1_000;
const readIntents = new Map<string, { at: number; state: object }>();
