import {
  cancelAttempt,
  fromDecimal,
  InvalidRequestError,
  type NewPaymentIntent,
  type OrderAttempts,
  type OrderCheckout,
  openAttempt,
  type PaymentIntent,
  tryTerms,
} from "@holdfast/sdk";
import type { MedusaContainer } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import { connect } from "../connection";
import { HOLDFAST_MODULE } from "../modules/holdfast";
import type HoldfastModuleService from "../modules/holdfast/service";
import { moneyText } from "../money";
import { findOrder, inOrder, type Order } from "./order";
import { readSettings, type Settings, type Token } from "./settings";

/** The answer to a buyer who wants to pay an order. */
export type Checkout = OrderCheckout | { readonly state: "paid" | "canceled"; readonly intent: string | null };

const TRIES_MAX = 4;
const TRIED_MAX = 20;

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
    if (order.isCanceled || order.payment !== null)
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
  const amount = moneyText(order.session.amount, order.currency);
  return {
    ...(await termsOf({ recipient, protection_period }, token, order.currency, amount)),
    ...{ merchantReference: order.id, description: `Order ${order.displayId}` },
    metadata: { medusaOrder: order.displayId },
  };
}

/** The terms that follow from the settings. */
async function termsOf(
  { recipient, protection_period }: { readonly recipient: string } & Pick<Settings, "protection_period">,
  { mint, amounts }: Token,
  currency: string,
  amount: string,
): Promise<Omit<NewPaymentIntent, "merchantReference">> {
  const { holdfast, returnUrl } = connect();
  const money =
    amounts === "price"
      ? { price: { currency: currency.toUpperCase() as "USD", amount } }
      : { amount: fromDecimal(amount, (await holdfast.assets.retrieve(mint)).decimals) };
  return {
    ...{ recipient, asset: mint, protectionPeriod: protection_period, ...money },
    ...(returnUrl === null ? {} : { returnUrl }),
  };
}

/** Tries settings: returns why nobody can pay by them, or what a buyer pays for one unit of each currency. */
export async function trySettings({
  recipient,
  protection_period,
  tokens,
}: Omit<Settings, "cursor">): Promise<{ problem: string } | { pays: string[] }> {
  const entries = Object.entries(tokens).slice(0, TRIED_MAX);
  if (recipient === null || entries.length === 0) return { problem: "No currency has a token." };
  const pays: string[] = [];
  for (const [currency, token] of entries) {
    const one = moneyText(1, currency);
    const name = `${one} ${currency.toUpperCase()}`;
    try {
      const terms = await termsOf({ recipient, protection_period }, token, currency, one);
      pays.push(`For ${name} a buyer pays ${await tryTerms(connect().holdfast, terms)}.`);
    } catch (error) {
      const param = error instanceof InvalidRequestError ? `${error.param}: ` : "";
      return { problem: `${name}: ${param}${(error as Error).message}` };
    }
  }
  return { pays };
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
