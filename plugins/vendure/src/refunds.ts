import type { Refund, RequestContext } from "@vendure/core";
import { check, findOrder, type Shop } from "./shop";
import { settledOf, shareOf } from "./states";

const TEXT = "Refunded from the escrow.";

/**
 * Enters what went back. Refunds that the staff asked for are settled, oldest first, as far as it reaches; a rest is a refund
 * of its own, signed with another tool. Those that can land no more have failed.
 */
export async function enterRefund(shop: Shop, ctx: RequestContext, code: string): Promise<void> {
  const { order, payment, state } = (await findOrder(shop, code, ctx))!;
  let missing = shareOf(payment) - settledOf(payment);
  let asked = payment.refunds
    .filter((one) => one.state === "Pending")
    .sort((one, other) => +one.createdAt - +other.createdAt);
  for (const refund of asked) {
    if (refund.total > missing) break;
    check(await shop.orders.settleRefund(ctx, { id: refund.id, transactionId: state.payment! }));
    missing -= refund.total;
    asked = asked.filter((one) => one !== refund);
  }
  const isOver = state.progress === "released" || state.progress === "refunded";
  if (missing > 0 || isOver) await fail(shop, ctx, asked);
  if (missing <= 0) return;
  const input = { paymentId: payment.id, amount: missing, reason: TEXT, lines: [], shipping: 0, adjustment: 0 };
  const refund = await shop.payments.createRefund(ctx, input, order, payment);
  check(refund);
  // Without its handler, as of a method that was disabled, a refund stays pending.
  if ("id" in refund && refund.state === "Pending")
    check(await shop.orders.settleRefund(ctx, { id: refund.id, transactionId: state.payment! }));
}

async function fail(shop: Shop, ctx: RequestContext, refunds: readonly Refund[]): Promise<void> {
  for (const { id } of refunds) check(await shop.orders.transitionRefundToState(ctx, id, "Failed"));
}
