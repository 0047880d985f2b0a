import { type OrderSummary, type Payment, summarizeOrder, type WebhookEvent } from "@holdfast/sdk";
import type { MedusaContainer } from "@medusajs/framework/types";
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils";
import { cancelOrderWorkflow, capturePaymentWorkflow, refundPaymentWorkflow } from "@medusajs/medusa/core-flows";
import { connect } from "../connection";
import { majorOf, refundedShare } from "../money";
import { paidBy } from "../session";
import { isForOrder, isOpen } from "./attempts";
import { findOrder, inOrder, type Order, PROVIDER } from "./order";

const EVENTS_MAX = 1_000;

/** The state of an order as its metadata and its page in the admin have it. */
export interface Progress {
  readonly progress: OrderSummary["progress"];
  /** Goods may leave. */
  readonly mayShip: boolean;
  readonly payment: string | null;
  readonly protectedUntil: string | null;
  readonly receiptUrl: string | null;
  readonly refundTotal: string;
  /** Payments that do not pay the order and did not go back, and the order's own, if the shop canceled the order. */
  readonly owed: readonly { readonly payment: string; readonly reason: string }[];
}

/** Brings an order to the state that its stored events say. Nothing changes if it is there, so it may run at any time. */
export async function bringUpToDate(container: MedusaContainer, orderId: string): Promise<void> {
  await inOrder(container, orderId, async () => {
    const connection = container.resolve(ContainerRegistrationKeys.PG_CONNECTION);
    const { rows } = await connection.raw(
      `select id, body, handled_at from holdfast_event where order_id = ? limit ${EVENTS_MAX}`,
      [orderId],
    );
    if (rows.every((row: { handled_at: Date | null }) => row.handled_at !== null)) return;
    if (rows.length === EVENTS_MAX) throw new Error(`It has ${EVENTS_MAX} events.`);
    const order = await findOrder(container, orderId);
    if (order !== null) {
      const events: WebhookEvent[] = rows.map(({ body }: { body: WebhookEvent }) => body);
      const { environment } = connect();
      await apply(container, order, summarizeOrder(events, { environment, entered: order.payment?.address ?? null }));
    }
    await connection.raw(`update holdfast_event set handled_at = now() where id = any(?) and handled_at is null`, [
      rows.map(({ id }: { id: string }) => id),
    ]);
  });
}

async function apply(container: MedusaContainer, order: Order, summary: OrderSummary): Promise<void> {
  const { payment } = summary;
  const paid = payment !== null && isOpen(order) ? await readPaid(payment, order) : null;
  if (paid === "sold") await enter(container, order, payment!.intent);
  // The process was killed while it entered the payment.
  else if (order.payment?.isEntered === false) await capture(container, order.payment.id);
  const now = (await findOrder(container, order.id))!;
  await show(container, now, summary, paid === "other_total");
  if (payment !== null && now.payment !== null) await enterRefund(container, now, payment);
  if (paid === "unsold") await cancelOrderWorkflow(container).run({ input: { order_id: order.id } });
}

/**
 * The use of a payment for an order that nobody paid yet, as the intent says at this moment: it pays the order, went back
 * before it did, so that nothing was sold, or is of another total. Null if a newer event is on its way, and decides.
 */
async function readPaid(
  { id, intent: intentId }: Payment,
  order: Order,
): Promise<"sold" | "unsold" | "other_total" | null> {
  const intent = await connect().holdfast.paymentIntents.retrieve(intentId);
  const { payment } = intent;
  if (payment?.id !== id || payment.status === "disputed") return null;
  if (payment.status === "protected" && payment.refundTotal !== "0") return null;
  if (!(await isForOrder(intent, order))) return "other_total";
  if (payment.status !== "refunded") return "sold";
  return order.hasOtherMoney ? null : "unsold";
}

/** Enters an order as paid, by the session that it has, or a new one: the buyer may have put that of another way in its place. */
async function enter(container: MedusaContainer, order: Order, intent: string): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT);
  const money = { amount: order.due, currency_code: order.currency };
  const session = order.session ?? (await addSession(container, order));
  await payments.updatePaymentSession({ id: session, ...money, data: { ...paidBy(session, intent) } });
  // Else the collection waits for what the order cost before.
  if (order.collection !== null && !order.hasOtherMoney)
    await payments.updatePaymentCollections(order.collection, { amount: order.due });
  const payment = await payments.authorizePaymentSession(session, {});
  if (payment === null) throw new Error(`The session of ${order.id} was changed meanwhile.`);
  await capture(container, payment.id);
}

/** The payment is captured already: the order gets it, once, and the shop is told. */
const capture = (container: MedusaContainer, payment_id: string) =>
  capturePaymentWorkflow(container).run({ input: { payment_id } });

async function addSession(container: MedusaContainer, { id, collection, due, currency }: Order): Promise<string> {
  const payments = container.resolve(Modules.PAYMENT);
  const provider = (await payments.listPaymentProviders({ is_enabled: true })).find((one) => PROVIDER.test(one.id));
  if (collection === null || provider === undefined) throw new Error(`${id} has no payment collection.`);
  const session = { provider_id: provider.id, amount: due, currency_code: currency, data: {} };
  return (await payments.createPaymentSession(collection, session)).id;
}

async function enterRefund(container: MedusaContainer, order: Order, { refundTotal, amount }: Payment): Promise<void> {
  const { id, total, refunded } = order.payment!;
  const missing = refundedShare(refundTotal, amount, total) - refunded;
  if (missing <= 0n) return;
  // Medusa stores a refund before it finds that the order is being changed, and then has half of it.
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    ...{ entity: "order_change", fields: ["id"] },
    filters: { order_id: order.id, status: ["pending", "requested"] },
  });
  if (data.length > 0) throw new Error("its refund is entered once the open change of the order has ended");
  await refundPaymentWorkflow(container).run({
    input: { payment_id: id, amount: majorOf(missing, order.currency), note: "Holdfast: the chain shows it." },
  });
}

function draftProgress(order: Order, summary: OrderSummary, isOther: boolean): Progress {
  const { progress, payment, mayShip, extras } = summary;
  const owed = extras.flatMap(({ payment: { id }, reason, isOwed }) => (isOwed ? [{ payment: id, reason }] : []));
  const isOwed = payment !== null && progress !== "refunded" && order.payment === null;
  const reason = isOwed ? reasonOf(order, isOther) : null;
  return {
    ...{
      progress,
      mayShip: mayShip && order.payment !== null && !MathBN.gt(order.due, 0),
      payment: payment?.id ?? null,
    },
    protectedUntil: progress === "protected" ? payment!.protectionDeadline : null,
    ...{ receiptUrl: payment?.receiptUrl ?? null, refundTotal: payment?.refundTotal ?? "0" },
    owed: reason === null ? owed : [...owed, { payment: payment!.id, reason }],
  };
}

function reasonOf(order: Order, isOther: boolean): string | null {
  if (order.isCanceled) return "canceled";
  if (isOther) return "other_total";
  if (isOpen(order)) return null;
  return order.hasOtherMoney ? "paid_elsewhere" : "other_total";
}

async function show(container: MedusaContainer, order: Order, summary: OrderSummary, isOther: boolean): Promise<void> {
  const holdfast = draftProgress(order, summary, isOther);
  if (JSON.stringify(order.metadata.holdfast) === JSON.stringify(holdfast)) return;
  await container
    .resolve(Modules.ORDER)
    .updateOrders([{ id: order.id, metadata: { ...order.metadata, holdfast } } as never]);
}

/** The state of an order as its page shows it; null before its first event. What its metadata say then came from its buyer. */
export async function readProgress(container: MedusaContainer, order: Order): Promise<Progress | null> {
  const connection = container.resolve(ContainerRegistrationKeys.PG_CONNECTION);
  const { rows } = await connection.raw(
    `select from holdfast_event where order_id = ? and handled_at is not null limit 1`,
    [order.id],
  );
  return rows.length === 0 ? null : ((order.metadata.holdfast ?? null) as Progress | null);
}
