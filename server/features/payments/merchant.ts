import { isAddress } from "../../domain/addresses.ts";
import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { missingCursor, showPage } from "../../domain/page.ts";
import { showFields } from "../../domain/show.ts";
import { type Call, ok, type Reply, type Route, readRoute } from "../../edge/http/route.ts";
import type { Database } from "../../store/database.ts";
import { type Payment, showPaymentText, showPaymentWithActions } from "./payment.ts";
import { findPayment, listPayments } from "./queries.ts";
import { GET_PAYMENT, LIST_PAYMENTS, type PaymentQuery } from "./schema.ts";

export interface PaymentDeps {
  readonly database: Database;
  /** For lists. */
  readonly slowDatabase: Database;
  readonly checkoutUrl: string;
}

/** §4.6. */
export const paymentRoutes = (deps: PaymentDeps): Route<Merchant>[] => [
  readRoute("/payments", LIST_PAYMENTS, (call) => getPayments(deps, call)),
  readRoute("/payments/:id", GET_PAYMENT, async ({ caller, now, params }) => {
    const payment = await findOrThrow(deps, caller, params.id!);
    return ok(showFields(showPaymentWithActions(payment, now, deps.checkoutUrl, payment.hold)));
  }),
];

const find = async (deps: PaymentDeps, caller: Tenant, address: string) =>
  isAddress(address) ? findPayment(deps.database, caller, address) : null;

async function findOrThrow(deps: PaymentDeps, caller: Tenant, address: string) {
  const payment = await find(deps, caller, address);
  if (payment === null)
    throw new ApiError(
      "not_found",
      "There is no such payment for this key's business and environment. A payment's id is its address on chain.",
    );
  return payment;
}

async function getPayments(
  deps: PaymentDeps,
  { caller, now, input: query }: Call<Merchant, PaymentQuery>,
): Promise<Reply> {
  const cursor = query.startingAfter ?? query.endingBefore;
  if (cursor !== null && (await find(deps, caller, cursor)) === null) throw missingCursor(query, "a payment");
  const found = await listPayments(deps.slowDatabase, caller, query, now);
  const show = (payment: Payment) => showPaymentText(payment, now, deps.checkoutUrl);
  return ok(showPage(found, query.limit, show, query.endingBefore !== null));
}
