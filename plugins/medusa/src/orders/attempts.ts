import {
  cancelAttempt,
  fromDecimal,
  InvalidRequestError,
  isForTotal,
  type NewPaymentIntent,
  type OrderAttempts,
  type OrderCheckout,
  openAttempt,
  type PaymentIntent,
  tryTerms,
} from "@holdfast/sdk";
import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types";
import { MathBN, MedusaError } from "@medusajs/framework/utils";
import { connect } from "../connection";
import { HOLDFAST_MODULE } from "../modules/holdfast";
import type HoldfastModuleService from "../modules/holdfast/service";
import { moneyText } from "../money";
import { findOrder, inOrder, type Order } from "./order";
import { readSettings, type Settings, type Token } from "./settings";

/** The answer to a buyer who wants to pay an order. */
export type Checkout = OrderCheckout | { readonly state: "paid" | "canceled"; readonly intent: string | null };

const TRIES_MAX = 4;

/** An amount of the shop, such as "24.50" of "USD". */
interface Total {
  readonly currency: string;
  readonly amount: string;
}

const totalIn = (currency: string, amount: BigNumberInput): Total => ({
  currency: currency.toUpperCase(),
  amount: moneyText(amount, currency),
});
const dueOf = ({ currency, due }: Order): Total => totalIn(currency, due);

/** The order may be entered as paid: it is none that was given up, or has its money already. */
export const isOpen = ({ payment, isCanceled, due }: Order): boolean =>
  payment === null && !isCanceled && MathBN.gt(due, 0);

const serviceOf = (container: MedusaContainer): HoldfastModuleService => container.resolve(HOLDFAST_MODULE);

const listAttempts = (container: MedusaContainer, orderId: string) =>
  serviceOf(container).listHoldfastAttempts({ order_id: orderId }, { order: { number: "ASC" }, take: 1_000 });

function attemptsOf(container: MedusaContainer, order_id: string): OrderAttempts {
  const service = serviceOf(container);
  return {
    last: async () => (await listAttempts(container, order_id)).at(-1),
    begin: async (number) => {
      const [known] = await service.listHoldfastAttempts({ order_id, number });
      if (known === undefined) await service.createHoldfastAttempts({ order_id, number });
    },
    save: async (number, intent) => {
      await service.updateHoldfastAttempts({ selector: { order_id, number }, data: { intent } });
    },
    refuse: async (number) => {
      await service.updateHoldfastAttempts({ selector: { order_id, number, intent: null }, data: { intent: "" } });
    },
  };
}

/** The checkout of an order: its open intent, or that of the next attempt. Returns null if no such order is paid here. */
export async function openCheckout(container: MedusaContainer, orderId: string): Promise<Checkout | null> {
  if ((await findOrder(container, orderId)) === null) return null;
  return inOrder(container, orderId, async () => {
    const order = (await findOrder(container, orderId))!;
    const attempts = attemptsOf(container, orderId);
    if (!isOpen(order))
      return { state: order.isCanceled ? "canceled" : "paid", intent: (await attempts.last())?.intent || null };
    const terms = await draftTerms(container, order);
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const checkout = await openAttempt(connect().holdfast, terms, attempts);
      if (checkout !== null) return checkout;
    }
    throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, "Holdfast gave no checkout for this order. Try again.");
  });
}

/** Cancels what is open of an order that the shop gives up. Throws if it is paid: such an order is refunded, not canceled. */
export async function cancelCheckout(container: MedusaContainer, orderId: string): Promise<void> {
  const order = await findOrder(container, orderId);
  if (order === null) return;
  await inOrder(container, orderId, async () => {
    for (const { intent } of await listAttempts(container, orderId))
      if (intent && order.payment === null && !(await cancelAttempt(connect().holdfast, intent)))
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
  return {
    ...(await termsOf({ recipient, protection_period }, token, dueOf(order))),
    ...{ merchantReference: order.id, description: `Order ${order.displayId}` },
    metadata: { medusaOrder: order.displayId },
  };
}

/** The terms that follow from the settings. */
async function termsOf(
  { recipient, protection_period }: { readonly recipient: string } & Pick<Settings, "protection_period">,
  { mint, amounts }: Token,
  { currency, amount }: Total,
): Promise<Omit<NewPaymentIntent, "merchantReference">> {
  const { holdfast, returnUrl } = connect();
  const money =
    amounts === "price"
      ? { price: { currency: currency as "USD", amount } }
      : { amount: fromDecimal(amount, (await holdfast.assets.retrieve(mint)).decimals) };
  return {
    ...{ recipient, asset: mint, protectionPeriod: protection_period, ...money },
    ...(returnUrl === null ? {} : { returnUrl }),
  };
}

/** The result of trying settings, by currency: what a buyer pays for one unit of it, or why nobody can pay in it. */
export interface Tried {
  readonly pays: readonly string[];
  readonly problems: readonly string[];
}

export async function trySettings({ recipient, protection_period, tokens }: Omit<Settings, "cursor">): Promise<Tried> {
  const entries = Object.entries(tokens);
  if (recipient === null || entries.length === 0) return { pays: [], problems: ["No currency has a token."] };
  const pays: string[] = [];
  const problems: string[] = [];
  for (const [code, token] of entries) {
    const one = totalIn(code, 1);
    try {
      const terms = await termsOf({ recipient, protection_period }, token, one);
      pays.push(`For ${one.amount} ${one.currency} a buyer pays ${await tryTerms(connect().holdfast, terms)}.`);
    } catch (error) {
      const param = error instanceof InvalidRequestError ? `${error.param}: ` : "";
      problems.push(`Nobody can pay in ${one.currency}. ${param}${(error as Error).message}`);
    }
  }
  return { pays, problems };
}

/** True if the intent asks for what the order lacks. */
export const isForOrder = (intent: PaymentIntent, order: Order): Promise<boolean> =>
  isForTotal(connect().holdfast, intent, dueOf(order));

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
