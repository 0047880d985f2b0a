import { isWalletAddress } from "../../domain/addresses.ts";
import type { Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { cutPage, type Page } from "../../domain/page.ts";
import { showFields, showList } from "../../domain/show.ts";
import { PAYMENT_STATUSES } from "../../domain/terms.ts";
import { checkParameters, readChoice, readFlag, readPage } from "../../edge/http/listParameters.ts";
import { type Call, type MerchantRoute, ok, type Reply, route } from "../../edge/http/route.ts";
import type { Database } from "../../store/database.ts";
import { PAYMENT_ROLES, type Payment, showPayment } from "./payment.ts";
import { findPayment, listPayments, type PaymentFilter } from "./queries.ts";
import { GET_PAYMENT, LIST_PAYMENTS } from "./schema.ts";

export interface Payments {
  readonly database: Database;
  readonly slowDatabase: Database;
}

/** §4.6. */
export function paymentRoutes(deps: Payments): MerchantRoute[] {
  return [
    route("GET", "/payments", { from: "query", read: readListQuery, docs: LIST_PAYMENTS }, (call) =>
      readPayments(deps, call),
    ),
    route(
      "GET",
      "/payments/:id",
      { from: "query", read: () => null, docs: GET_PAYMENT },
      async ({ caller, now, params }) => ok(showFields(showPayment(await findOrThrow(deps, caller, params.id!), now))),
    ),
  ];
}

async function findOrThrow(deps: Payments, caller: Tenant, address: string): Promise<Payment> {
  const payment = isWalletAddress(address) ? await findPayment(deps.database, caller, address) : null;
  if (payment === null)
    throw new ApiError("not_found", "There is no such payment for this key's business and environment.");
  return payment;
}

interface ListQuery {
  readonly filter: PaymentFilter;
  readonly page: Page;
}

function readListQuery(query: URLSearchParams): ListQuery {
  checkParameters(query, LIST_PAYMENTS.query);
  return {
    page: readPage(query),
    filter: {
      status: readChoice(query, "status", PAYMENT_STATUSES),
      intent: query.get("intent"),
      role: readChoice(query, "role", PAYMENT_ROLES),
      late: readFlag(query, "late"),
      settleable: readFlag(query, "settleable"),
    },
  };
}

async function readPayments(deps: Payments, { caller, now, input: { filter, page } }: Call<ListQuery>): Promise<Reply> {
  const cursor = page.startingAfter ?? page.endingBefore;
  if (cursor !== null) await findOrThrow(deps, caller, cursor);
  const { items, hasMore } = cutPage(await listPayments(deps.slowDatabase, caller, filter, page, now), page);
  return ok(
    showList(
      items.map((payment) => showFields(showPayment(payment, now))),
      hasMore,
    ),
  );
}
