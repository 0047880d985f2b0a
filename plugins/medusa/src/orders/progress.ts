import { type OrderSummary, type Payment, summarizeOrder, type WebhookEvent } from "@holdfast/sdk";
import type { MedusaContainer } from "@medusajs/framework/types";
import { ContainerRegistrationKeys, Modules, PaymentActions } from "@medusajs/framework/utils";
import { cancelOrderWorkflow, processPaymentWorkflow, refundPaymentWorkflow } from "@medusajs/medusa/core-flows";
import { connect } from "../connection";
import { majorOf, refundedShare } from "../money";
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
  if (payment !== null && isPaid && order.payment === null && !order.isCanceled) await enter(container, order, payment);
  const now = (await findOrder(container, order.id))!;
  if (payment !== null && now.payment !== null) await enterRefund(container, now, payment);
  // It went back before the shop entered it: nothing was sold.
  if (progress === "refunded" && now.payment === null && !now.isCanceled)
    await cancelOrderWorkflow(container).run({ input: { order_id: order.id } });
  await show(container, (await findOrder(container, order.id))!, summary);
}

/** Enters an order as paid, if the intent says so at this moment, and asks for what the order costs. */
async function enter(container: MedusaContainer, order: Order, payment: Payment): Promise<void> {
  const intent = await connect().holdfast.paymentIntents.retrieve(payment.intent);
  const now = intent.payment;
  // A newer event is on its way, and brings the order up to date.
  if (now?.id !== payment.id || now.status === "refunded" || now.status === "disputed") return;
  if (now.status === "protected" && now.refundTotal !== "0") return;
  if (!(await isForOrder(container, intent, order))) return;
  const { id, amount, data } = order.session;
  await container.resolve(Modules.PAYMENT).updatePaymentSession({
    ...{ id, amount, currency_code: order.currency },
    data: { ...data, intent: intent.id },
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

export function showProgress(order: Order, { progress, payment, mayShip, extras }: OrderSummary): Progress {
  const owed = extras.flatMap(({ payment: { id }, reason, isOwed }) => (isOwed ? [{ payment: id, reason }] : []));
  const isLost = order.isCanceled && order.payment === null && payment !== null && progress !== "refunded";
  return {
    ...{ progress, mayShip: mayShip && order.payment !== null, payment: payment?.id ?? null },
    protectedUntil: progress === "protected" ? payment!.protectionDeadline : null,
    ...{ receiptUrl: payment?.receiptUrl ?? null, refundTotal: payment?.refundTotal ?? "0" },
    owed: isLost ? [...owed, { payment: payment.id, reason: "canceled" }] : owed,
  };
}

async function show(container: MedusaContainer, order: Order, summary: OrderSummary): Promise<void> {
  const holdfast = showProgress(order, summary);
  if (JSON.stringify(order.metadata.holdfast) === JSON.stringify(holdfast)) return;
  await container
    .resolve(Modules.ORDER)
    .updateOrders([{ id: order.id, metadata: { ...order.metadata, holdfast } } as never]);
}
