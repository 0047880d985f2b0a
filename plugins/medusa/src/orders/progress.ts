import { type OrderSummary, type Payment, type PaymentIntent, summarizeOrder, type WebhookEvent } from "@holdfast/sdk";
import type { MedusaContainer } from "@medusajs/framework/types";
import { ContainerRegistrationKeys, Modules, PaymentActions } from "@medusajs/framework/utils";
import { cancelOrderWorkflow, processPaymentWorkflow, refundPaymentWorkflow } from "@medusajs/medusa/core-flows";
import { connect } from "../connection";
import { majorOf, refundedShare } from "../money";
import { paidBy } from "../providers/holdfast/provider";
import { isForOrder } from "./attempts";
import { findOrder, inOrder, type Order } from "./order";

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
    const order = await findOrder(container, orderId);
    if (order !== null) {
      const events: WebhookEvent[] = rows.map(({ body }: { body: WebhookEvent }) => body);
      await apply(container, order, summarizeOrder(events, { environment: connect().environment }));
    }
    await connection.raw(`update holdfast_event set handled_at = now() where id = any(?) and handled_at is null`, [
      rows.map(({ id }: { id: string }) => id),
    ]);
  });
}

async function apply(container: MedusaContainer, order: Order, summary: OrderSummary): Promise<void> {
  const { payment, isPaid, progress } = summary;
  const paid =
    payment !== null && isPaid && order.payment === null && !order.isCanceled ? await findPaid(payment) : null;
  const isOther = paid !== null && !(await isForOrder(paid, order));
  if (paid !== null && !isOther) await enter(container, order, paid);
  const now = (await findOrder(container, order.id))!;
  if (payment !== null && now.payment !== null) await enterRefund(container, now, payment);
  // It went back before the shop entered it: nothing was sold.
  if (progress === "refunded" && now.payment === null && !now.isCanceled)
    await cancelOrderWorkflow(container).run({ input: { order_id: order.id } });
  await show(container, (await findOrder(container, order.id))!, summary, isOther);
}

/** The intent that a payment pays, if it says so at this moment. Else a newer event is on its way, and brings the order up to date. */
async function findPaid({ id, intent: intentId }: Payment): Promise<PaymentIntent | null> {
  const intent = await connect().holdfast.paymentIntents.retrieve(intentId);
  const { payment } = intent;
  if (payment?.id !== id || payment.status === "refunded" || payment.status === "disputed") return null;
  return payment.status === "protected" && payment.refundTotal !== "0" ? null : intent;
}

/** Enters an order as paid. */
async function enter(container: MedusaContainer, order: Order, intent: PaymentIntent): Promise<void> {
  const { id, amount } = order.session;
  await container.resolve(Modules.PAYMENT).updatePaymentSession({
    ...{ id, amount, currency_code: order.currency },
    data: { ...paidBy(id, intent.id) },
  });
  await processPaymentWorkflow(container).run({
    input: { action: PaymentActions.SUCCESSFUL, data: { session_id: id, amount } },
  });
}

async function enterRefund(container: MedusaContainer, order: Order, { refundTotal, amount }: Payment): Promise<void> {
  const { id, total, refunded } = order.payment!;
  const missing = refundedShare(refundTotal, amount, total) - refunded;
  if (missing <= 0n) return;
  await refundPaymentWorkflow(container).run({
    input: { payment_id: id, amount: majorOf(missing, order.currency), note: "Holdfast: the chain shows it." },
  });
}

function draftProgress(order: Order, { progress, payment, mayShip, extras }: OrderSummary, isOther: boolean): Progress {
  const owed = extras.flatMap(({ payment: { id }, reason, isOwed }) => (isOwed ? [{ payment: id, reason }] : []));
  const isLost = order.isCanceled && order.payment === null && payment !== null && progress !== "refunded";
  const reason = isLost ? "canceled" : isOther ? "other_total" : null;
  return {
    ...{ progress, mayShip: mayShip && order.payment !== null, payment: payment?.id ?? null },
    protectedUntil: progress === "protected" ? payment!.protectionDeadline : null,
    ...{ receiptUrl: payment?.receiptUrl ?? null, refundTotal: payment?.refundTotal ?? "0" },
    owed: reason === null ? owed : [...owed, { payment: payment!.id, reason }],
  };
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
