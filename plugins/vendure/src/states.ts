import {
  type FulfillmentProcess,
  type FulfillmentState,
  type Injector,
  Order,
  type OrderPlacedStrategy,
  type OrderProcess,
  OrderService,
  type OrderState,
  Payment,
  type PaymentProcess,
  PaymentService,
  type PaymentState,
  type RefundState,
  type StockAllocationStrategy,
  TransactionalConnection,
} from "@vendure/core";
import type { RefundProcess } from "@vendure/core/dist/config/refund/refund-process";
import { findObstacle, stateOf } from "./holdfastPayment";
import { refundedShare } from "./money";

/**
 * A state of orders and of payments: the order is placed and its goods are allocated, and the payment comes by event. Vendure
 * has no such state of its own: in ArrangingPayment an order is a cart still, and PaymentAuthorized says that money is there.
 */
const AWAITING = "AwaitingPayment";
export const AWAITING_ORDER = AWAITING as OrderState;
export const AWAITING_PAYMENT = AWAITING as PaymentState;

let connection: TransactionalConnection;
let orders: OrderService;
let payments: PaymentService;

const init = (injector: Injector): void => {
  connection = injector.get(TransactionalConnection);
  orders = injector.get(OrderService);
  payments = injector.get(PaymentService);
};

export const orderProcess: OrderProcess<string> = {
  transitions: {
    ArrangingPayment: { to: [AWAITING], mergeStrategy: "merge" },
    // With PaymentAuthorized, too, Vendure would let another method pay the order a second time.
    [AWAITING]: { to: ["PaymentSettled", "Cancelled"] },
  },
  init,
  onTransitionStart: (_from, to, { order }) =>
    to !== AWAITING || order.payments.some(({ state }) => state === AWAITING_PAYMENT)
      ? undefined
      : "Add a payment by Holdfast to this order first.",
  onTransitionEnd: async (_from, to, { ctx, order }) => {
    if (to !== "Cancelled") return;
    for (const payment of await orders.getOrderPayments(ctx, order.id))
      if (payment.state === AWAITING_PAYMENT) await payments.cancelPayment(ctx, payment.id);
  },
};

export const paymentProcess: PaymentProcess<string> = {
  transitions: {
    Created: { to: [AWAITING], mergeStrategy: "merge" },
    [AWAITING]: { to: ["Settled", "Cancelled"] },
  },
  onTransitionStart: (_from, to, { payment }) =>
    to !== AWAITING || stateOf(payment) !== undefined ? undefined : "This payment is not one by Holdfast.",
  onTransitionEnd: async (_from, to, { ctx, order }) => {
    if (to !== AWAITING) return;
    const placed = await orders.transitionToState(ctx, order.id, AWAITING_ORDER);
    if (!(placed instanceof Order)) throw new Error(placed.transitionError);
  },
};

/** "Settle refund" enters money that never moved. Only what the chain shows is settled. */
export const refundProcess: RefundProcess<RefundState> = {
  // A handler that answers Pending makes this step.
  transitions: { Pending: { to: ["Pending"] }, Settled: { to: [] }, Failed: { to: [] } },
  onTransitionStart: async (_from, to, { ctx, refund }) => {
    if (to !== "Settled") return;
    const id = refund.payment?.id ?? refund.paymentId;
    const payment = await connection.getEntityOrThrow(ctx, Payment, id, { relations: ["refunds"] });
    if (stateOf(payment) === undefined || settledOf(payment) + refund.total <= shareOf(payment)) return;
    return "This refund waits for the signature of the recipient's wallet. The order shows it once it has landed.";
  },
};

/** Goods leave while the payment is safe: also those of a marketplace's seller, whose buyer pays the aggregate order. */
export const fulfillmentProcess: FulfillmentProcess<FulfillmentState> = {
  onTransitionStart: async (from, to, { ctx, orders: shipped }) => {
    if (from !== "Pending" || to === "Cancelled") return;
    for (const { id, code, aggregateOrderId } of shipped)
      for (const paid of aggregateOrderId ? [id, aggregateOrderId] : [id]) {
        const obstacle = findObstacle(await orders.getOrderPayments(ctx, paid));
        if (obstacle !== null) return `The goods of ${code} must not leave now: ${obstacle}.`;
      }
  },
};

export const settledOf = ({ refunds }: Payment): number =>
  refunds.reduce((sum, { state, total }) => sum + (state === "Settled" ? total : 0), 0);

/** The part of a payment that went back, as the newest event shows it. */
export function shareOf(payment: Payment): number {
  const state = stateOf(payment)!;
  return state.payment === null ? 0 : refundedShare(state.refundTotal, state.amount, payment.amount);
}

export function placeWhenAwaiting(inner: OrderPlacedStrategy): OrderPlacedStrategy {
  return {
    init: (injector) => inner.init?.(injector),
    destroy: () => inner.destroy?.(),
    shouldSetAsPlaced: (ctx, from, to, order) => to === AWAITING_ORDER || inner.shouldSetAsPlaced(ctx, from, to, order),
  };
}

export function allocateWhenAwaiting(inner: StockAllocationStrategy): StockAllocationStrategy {
  return {
    init: (injector) => inner.init?.(injector),
    destroy: () => inner.destroy?.(),
    shouldAllocateStock: (ctx, from, to, order) =>
      to === AWAITING_ORDER || (from !== AWAITING_ORDER && inner.shouldAllocateStock(ctx, from, to, order)),
  };
}
