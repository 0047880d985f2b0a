import { isAddress } from "../../domain/addresses.ts";
import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { missingCursor, showPage } from "../../domain/page.ts";
import { showFields } from "../../domain/show.ts";
import { type Call, ok, type Reply, type Route, readRoute } from "../../edge/http/route.ts";
import type { Context } from "../context.ts";
import { type Payment, showPaymentText, showPaymentWithActions } from "./payment.ts";
import { findPayment, listPayments } from "./queries.ts";
import { GET_PAYMENT, LIST_PAYMENTS, type PaymentQuery } from "./schema.ts";

/** §4.6. */
export const paymentRoutes = (ctx: Context): Route<Merchant>[] => [
  readRoute("/payments", LIST_PAYMENTS, (call) => getPayments(ctx, call)),
  readRoute("/payments/:id", GET_PAYMENT, async ({ caller, now, params }) => {
    const payment = await findOrThrow(ctx, caller, params.id!);
    return ok(showFields(showPaymentWithActions(payment, now, ctx.checkoutUrl, payment.hold)));
  }),
];

const find = async (ctx: Context, caller: Tenant, address: string) =>
  isAddress(address) ? findPayment(ctx.database, caller, address) : null;

async function findOrThrow(ctx: Context, caller: Tenant, address: string) {
  const payment = await find(ctx, caller, address);
  if (payment === null)
    throw new ApiError(
      "not_found",
      "There is no such payment for this key's business and environment. A payment's id is its address on chain.",
    );
  return payment;
}

async function getPayments(ctx: Context, { caller, now, input: query }: Call<Merchant, PaymentQuery>): Promise<Reply> {
  const cursor = query.startingAfter ?? query.endingBefore;
  if (cursor !== null && (await find(ctx, caller, cursor)) === null) throw missingCursor(query, "a payment");
  const found = await listPayments(ctx.slowDatabase, caller, query, now);
  const show = (payment: Payment) => showPaymentText(payment, now, ctx.checkoutUrl);
  return ok(showPage(found, query.limit, show, query.endingBefore !== null));
}
