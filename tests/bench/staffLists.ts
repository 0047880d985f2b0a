import { queryParser } from "../../server/edge/http/parameters.ts";
import { findListPosition } from "../../server/features/intents/queries.ts";
import { LIST_STAFF_INTENTS } from "../../server/features/intents/schema.ts";
import { scanIntents } from "../../server/features/intents/staffQueries.ts";
import { LIST_STAFF_PAYMENTS } from "../../server/features/payments/schema.ts";
import { findPlace, scanPayments } from "../../server/features/payments/staffQueries.ts";
import { ago, DAY_MS, type List, NOBODY, ofEachFilter, type Query, SAMPLE } from "./listPages.ts";
import type { Target } from "./target.ts";

/** Lists of the dashboard: each page reads a limited number of rows, whatever the filters. */
const staffIntents = (name: string, query: (target: Target) => Query): List => ({
  path: "/staff/payment-intents",
  name: `intents of staff: ${name}`,
  filters: Object.keys(query(SAMPLE)),
  run: async (database, target, unmeasured) => {
    const input = queryParser(LIST_STAFF_INTENTS.query)(new URLSearchParams({ limit: "20", ...query(target) }));
    const cursor =
      input.startingAfter && (await findListPosition(unmeasured, target.tenant, input.startingAfter, "older"));
    return scanIntents(database, target.tenant, input, cursor, new Date());
  },
});

const staffPayments = (name: string, query: (target: Target) => Query, paid = false): List => ({
  path: "/staff/payments",
  name: `payments of staff: ${name}`,
  filters: Object.keys(query(SAMPLE)),
  paid,
  run: async (database, target, unmeasured) => {
    const input = queryParser(LIST_STAFF_PAYMENTS.query)(new URLSearchParams({ limit: "20", ...query(target) }));
    const place = input.startingAfter === null ? null : await findPlace(unmeasured, target.tenant, input.startingAfter);
    return scanPayments(database, target.tenant, input, place);
  },
});

/** The only token of the history. */
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

export const STAFF_INTENTS: readonly List[] = [
  ...ofEachFilter(LIST_STAFF_INTENTS.query, staffIntents),
  staffIntents("first page", () => ({})),
  staffIntents("by reference", ({ number }) => ({ merchant_reference: `order-${number}` })),
  ...["requires_payment", "paid", "expired", "canceled"].map((status) =>
    staffIntents(`status ${status}, of an amount there is none of`, () => ({
      status,
      amount_min: "0.01",
      amount_max: "0.01",
    })),
  ),
  staffIntents("paid, of a reference, behind a cursor", ({ intent, number }) => ({
    status: "paid",
    reference_prefix: `order-${number}`,
    starting_after: intent,
  })),
  staffIntents("of a period there is none of, of before", ({ createdAt }) => ({
    protection_period: "oneHour",
    created_before: createdAt.toISOString(),
  })),
];

export const STAFF_PAYMENTS: readonly List[] = [
  ...ofEachFilter(LIST_STAFF_PAYMENTS.query, staffPayments),
  staffPayments("first page", () => ({})),
  staffPayments("a page behind a cursor", ({ payment }) => ({ starting_after: payment! }), true),
  staffPayments("of the only token", () => ({ asset: USDC })),
  staffPayments("of an exact amount", ({ number }) => {
    const amount = String((1_000_000 + (number % 9_000_000)) / 1_000_000);
    return { amount_min: amount, amount_max: amount };
  }),
  staffPayments("of amounts there are none of", () => ({ amount_min: "1000", amount_max: "2000" })),
  staffPayments("by the beginning of all references", () => ({ reference_prefix: "order-" })),
  staffPayments(
    "by the beginning of a reference, behind a cursor",
    ({ payment }) => ({ reference_prefix: "order-", starting_after: payment! }),
    true,
  ),
  staffPayments(
    "made before, behind a cursor",
    ({ payment }) => ({ created_before: ago(DAY_MS), starting_after: payment! }),
    true,
  ),
  staffPayments("released, late, disputed, of an amount", () => ({
    status: "released",
    late: "true",
    disputed: "true",
    amount_min: "5",
  })),
  staffPayments("released, of a period there is none of", () => ({ status: "released", protection_period: "oneHour" })),
  staffPayments("of a wallet there is none of, of a day", ({ createdAt }) => ({
    sender: NOBODY,
    created_after: createdAt.toISOString(),
  })),
];
