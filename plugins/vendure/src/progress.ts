import { type OrderSummary, summarizeOrder, type WebhookEvent } from "@holdfast/sdk";
import { Order, Payment, type RequestContext } from "@vendure/core";
import { In } from "typeorm";
import { isForOrder } from "./attempts";
import { connection, paymentPages, readToken, type Token } from "./connection";
import { HoldfastEvent } from "./entities";
import type { HoldfastState } from "./holdfastPayment";
import { enterRefund } from "./refunds";
import { check, contextOf, findOrder, type HoldfastOrder, type Shop } from "./shop";
import { AWAITING_ORDER, AWAITING_PAYMENT } from "./states";

export const MISMATCH = "payment_intent.payment_mismatch";
const EVENTS_MAX = 1_000;
const TRIES_MAX = 5;

const TEXTS: Readonly<Record<HoldfastState["progress"], string>> = {
  open: "Not paid.",
  protected: "Protected: the money is in the escrow.",
  disputed: "Disputed: keep goods that are still there, and answer the dispute.",
  decided: "Decided: the parts are on their way to both sides.",
  released: "Released: the money is in your wallet.",
  refunded: "Refunded: all of it went back to the buyer.",
  reverted: "The network took the payment back. It may come again: ship nothing.",
};

const REASONS = {
  late: "A payment came after the order's time.",
  duplicate: "A second payment of this order came.",
  over_limit: "A payment beyond the limit came.",
  canceled: "A payment came, and the order is canceled.",
  paid_elsewhere: "A payment came, and the order was paid by another method.",
  other_total: "A payment came that is not of the order's total.",
} as const;

interface Read {
  readonly summary: OrderSummary;
  readonly rows: readonly HoldfastEvent[];
  readonly events: readonly WebhookEvent[];
}

/**
 * Brings an order to the state that its stored events say. Nothing changes if it is there, so it may run at any time. What the
 * service is asked is asked before the transaction; if an event came meanwhile, it begins again.
 */
export async function bringUpToDate(shop: Shop, code: string): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const found = (await findOrder(shop, code))!;
    const before = await readEvents(shop, found);
    if (before.rows.every(({ isHandled }) => isHandled)) return;
    const asked = await readAsked(shop, found, before.summary);
    const pages = await paymentPages();
    const asset = before.summary.payment?.asset;
    const token = asset === undefined ? null : await readToken(asset);
    const isDone = await shop.connection.withTransaction(await contextOf(shop, found), async (ctx) => {
      await lockOrder(shop, ctx, code);
      const locked = (await findOrder(shop, code, ctx))!;
      const now = await readEvents(shop, locked, ctx);
      if (now.rows.length !== before.rows.length) return false;
      await apply(shop, ctx, locked, { ...now, asked, pages, token });
      // Only what was read: an event may be stored at this moment.
      const events = shop.connection.getRepository(ctx, HoldfastEvent);
      await events.update({ id: In(now.rows.map(({ id }) => id)) }, { isHandled: true });
      return true;
    });
    if (isDone) return;
  }
  throw new Error("events came faster than they were entered");
}

/** Work on an order is done one at a time, also by several processes. */
async function lockOrder(shop: Shop, ctx: RequestContext, code: string): Promise<void> {
  const orders = shop.connection.getRepository(ctx, Order).createQueryBuilder("locked");
  await orders.setLock("pessimistic_write").where("locked.code = :code", { code }).getOne();
}

async function readEvents(shop: Shop, { order, payment }: HoldfastOrder, ctx?: RequestContext): Promise<Read> {
  const { connection: database } = shop;
  const repository = ctx
    ? database.getRepository(ctx, HoldfastEvent)
    : database.rawConnection.getRepository(HoldfastEvent);
  const rows = await repository.find({ where: { orderCode: order.code }, take: EVENTS_MAX + 1 });
  if (rows.length > EVENTS_MAX) throw new Error(`${order.code} has more than ${EVENTS_MAX} events`);
  const events = rows.map(({ body }) => JSON.parse(body) as WebhookEvent);
  // The transaction is the payment by which the order was entered.
  const options = { environment: connection().environment, entered: payment.transactionId || null };
  return { rows, events, summary: summarizeOrder(events, options) };
}

interface AskedIntent {
  /** The service says at this moment that its payment is there. */
  readonly isPaid: boolean;
  /** The order's total if the intent asks for it, else null. */
  readonly total: number | null;
}

/** The intent of the payment that is to pay the order; null if there is none, or the order does not await it any more. */
async function readAsked(shop: Shop, found: HoldfastOrder, summary: OrderSummary): Promise<AskedIntent | null> {
  const { payment, isPaid } = summary;
  if (payment === null || found.payment.state !== AWAITING_PAYMENT) return null;
  const intent = await connection().holdfast.paymentIntents.retrieve(payment.intent);
  const now = intent.payment;
  // If it is another one or not safe now, a newer event is on its way, and brings the order up to date.
  const isSafe = now?.status === "released" || (now?.status === "protected" && now.refundTotal === "0");
  return {
    isPaid: isPaid && isSafe && now.id === payment.id,
    total: (await isForOrder(shop, intent, found)) ? found.order.totalWithTax : null,
  };
}

interface Work extends Read {
  readonly asked: AskedIntent | null;
  readonly pages: string;
  readonly token: Token | null;
}

async function apply(shop: Shop, ctx: RequestContext, found: HoldfastOrder, work: Work): Promise<void> {
  const { summary, asked } = work;
  const { order, payment } = found;
  const isOpen = order.state === AWAITING_ORDER && payment.state === AWAITING_PAYMENT;
  const isOfTotal = isOpen && asked?.total === order.totalWithTax;
  const isPaid = found.state.isPaid || (isOfTotal && asked.isPaid);
  const state = draftState(found, work, isPaid);
  const amount = found.state.isPaid ? payment.amount : order.totalWithTax;
  const entered = { amount, transactionId: summary.payment?.id ?? payment.transactionId };
  const metadata = { ...payment.metadata, holdfast: state as object };
  await shop.connection.getRepository(ctx, Payment).update(payment.id, { ...(isPaid ? entered : {}), metadata });
  if (isPaid && !found.state.isPaid) check(await shop.orders.settlePayment(ctx, payment.id));
  if (isPaid) await enterRefund(shop, ctx, order.code);
  // It went back before the shop entered it: nothing was sold. After one of another total, the buyer may pay the right one.
  if (summary.progress === "refunded" && isOfTotal && !order.payments.some(({ state: one }) => one === "Settled")) {
    const reason = "Refunded before the order was entered as paid.";
    check(await shop.orders.cancelOrder(ctx, { orderId: order.id, reason, cancelShipping: true }));
  }
  await show(shop, ctx, found, work, state);
}

function draftState({ order, state: old }: HoldfastOrder, work: Work, isPaid: boolean): HoldfastState {
  const { summary, pages } = work;
  const { progress, payment, mayShip, extras } = summary;
  const owed: { payment: string; reason: keyof typeof REASONS }[] = extras.flatMap(
    ({ payment: one, reason, isOwed }) => (isOwed ? [{ payment: one.id, reason }] : []),
  );
  if (payment !== null && !isPaid && progress !== "refunded") {
    const reason = findReason(order, work.asked);
    if (reason !== null) owed.push({ payment: payment.id, reason });
  }
  return {
    ...{ channel: old.channel, progress, isPaid, mayShip: mayShip && isPaid, payment: payment?.id ?? null },
    ...{ amount: payment?.amount ?? "0", refundTotal: payment?.refundTotal ?? "0" },
    token: work.token,
    protectedUntil: progress === "protected" ? payment!.protectionDeadline : null,
    receiptUrl: payment?.receiptUrl ?? null,
    page: payment === null ? null : `${pages}/${payment.id}`,
    owed: owed.map((one) => ({ ...one, page: `${pages}/${one.payment}` })),
  };
}

/** Returns why the payment in time does not pay the order; null if it may yet. */
function findReason({ state, totalWithTax }: Order, asked: AskedIntent | null): keyof typeof REASONS | null {
  if (state === "Cancelled") return "canceled";
  if (state !== AWAITING_ORDER) return "paid_elsewhere";
  return asked === null || asked.total === totalWithTax ? null : "other_total";
}

/** Shows the state on the order's page in the admin, with a note of each change. */
async function show(shop: Shop, ctx: RequestContext, found: HoldfastOrder, work: Work, state: HoldfastState) {
  const { order, state: old } = found;
  const { progress, mayShip, protectedUntil } = state;
  const customFields = {
    ...{ buyerProtection: progress, mayShip, protectedUntil: protectedUntil && new Date(protectedUntil) },
    holdfastPage: state.page,
  };
  await shop.connection.getRepository(ctx, Order).update(order.id, { customFields });
  const known = new Set(old.owed.map(({ payment }) => payment));
  const notes = [
    ...(progress === old.progress ? [] : [`${TEXTS[progress]} ${state.page ?? ""}`]),
    ...state.owed
      .filter(({ payment }) => !known.has(payment))
      .map(({ reason, page }) => `${REASONS[reason as keyof typeof REASONS]} It is to be refunded: ${page}`),
    ...work.events
      .filter(({ type }, index) => type === MISMATCH && !work.rows[index]!.isHandled)
      .map(
        () => "A payment on other terms came. It does not pay this order, and there is nothing to refund from here.",
      ),
  ];
  for (const note of notes) await shop.orders.addNoteToOrder(ctx, { id: order.id, note: note.trim(), isPublic: false });
}
