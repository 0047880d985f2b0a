import { type QueryParameters, queryParser } from "../../server/edge/http/parameters.ts";
import { eventRoutes } from "../../server/features/events/merchant.ts";
import { hasEventsOfPayment, listEvents } from "../../server/features/events/queries.ts";
import { LIST_EVENTS } from "../../server/features/events/schema.ts";
import { intentRoutes } from "../../server/features/intents/merchant.ts";
import { findIntentByPaymentId, findIntentByReference } from "../../server/features/intents/queries.ts";
import { LIST_INTENTS, LIST_STAFF_INTENTS } from "../../server/features/intents/schema.ts";
import { readOverview } from "../../server/features/overview/actions.ts";
import { listPaidAssets } from "../../server/features/payments/fragments.ts";
import { paymentRoutes } from "../../server/features/payments/merchant.ts";
import { listPaymentsOfSignature } from "../../server/features/payments/queries.ts";
import { LIST_PAYMENTS, LIST_STAFF_PAYMENTS } from "../../server/features/payments/schema.ts";
import { hasPaymentsOfSender } from "../../server/features/payments/staffQueries.ts";
import { listOpenUnmatched } from "../../server/features/recording/queries.ts";
import { requestsAround } from "../../server/features/requests/fragments.ts";
import { listRequests } from "../../server/features/requests/queries.ts";
import { LIST_REQUESTS } from "../../server/features/requests/schema.ts";
import { testContext } from "../../server/features/testing.ts";
import { listHours, listTenantHours } from "../../server/features/webhooks/delivery/hours/queries.ts";
import { listDeliveriesOf, listDeliveriesOfEvent } from "../../server/features/webhooks/delivery/list.ts";
import { LIST_DELIVERIES } from "../../server/features/webhooks/delivery/schema.ts";
import { findEndpoint } from "../../server/features/webhooks/endpointQueries.ts";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { ago, DAY_MS, HOUR_MS, type List, NOBODY, ofEachFilter, type Query, SAMPLE } from "./listPages.ts";
import { STAFF_INTENTS, STAFF_PAYMENTS } from "./staffLists.ts";
import type { Statement, Target } from "./target.ts";

const BATCHING = { itemsMax: 1, batchesMax: 1, waitingMax: 100, waitMsMax: 1_000 };

/** The parameters of each list, as declared. */
export const DECLARED: Readonly<Record<string, QueryParameters>> = {
  "/payment-intents": LIST_INTENTS.query,
  "/payments": LIST_PAYMENTS.query,
  "/events": LIST_EVENTS.query,
  "/deliveries": LIST_DELIVERIES.query,
  "/requests": LIST_REQUESTS.query,
  "/staff/payment-intents": LIST_STAFF_INTENTS.query,
  "/staff/payments": LIST_STAFF_PAYMENTS.query,
};
/** Parameters of every list that place a page and limit its length, and filter nothing. */
const PAGE_PARAMETERS = new Set(["limit", "starting_after", "ending_before"]);

/** Filters that no statement uses. */
export function listUnusedFilters(
  declared = DECLARED,
  lists: readonly List[] = [
    ...INTENTS,
    ...PAYMENTS,
    ...EVENTS,
    ...DELIVERIES,
    ...REQUESTS,
    ...STAFF_INTENTS,
    ...STAFF_PAYMENTS,
  ],
) {
  return Object.entries(declared).flatMap(([path, parameters]) => {
    const used = new Set(lists.filter((list) => list.path === path).flatMap(({ filters }) => filters));
    return Object.keys(parameters)
      .filter((name) => !PAGE_PARAMETERS.has(name) && !used.has(name))
      .map((name) => `${path}?${name}`);
  });
}

/** A page of a list by its route: reading the query and showing the rows included, as far as SQL goes. */
const list = (path: string, name: string, query: (target: Target) => Query, paid = false): List => ({
  path,
  name: `${path}: ${name}`,
  filters: Object.keys(query(SAMPLE)),
  paid,
  run: async (database, target, unmeasured) => {
    const route = routesOf(database, unmeasured).find((one) => one.method === "GET" && one.path === path)!;
    const call = {
      caller: { ...target.tenant, keyId: "key", scope: "full" },
      now: new Date(),
      params: {},
      input: new URLSearchParams({ limit: "20", ...query(target) }),
    };
    return route.run(call as never);
  },
});

/** Reading a cursor's row is a statement of another list: it is not measured here. */
const routesOf = (slowDatabase: Database, database: Database) => {
  const ctx = testContext({ database, slowDatabase });
  return [...intentRoutes(ctx, BATCHING), ...paymentRoutes(ctx), ...eventRoutes(ctx, null as never)];
};

const intents = (name: string, query: (target: Target) => Query) => list("/payment-intents", name, query);
const payments = (name: string, query: (target: Target) => Query, paid = false) => list("/payments", name, query, paid);
const events = (name: string, query: (target: Target) => Query) => list("/events", name, query);
const INTENTS: readonly List[] = [
  ...ofEachFilter(LIST_INTENTS.query, intents),
  intents("first page", () => ({})),
  intents("a page behind a cursor", ({ intent }) => ({ starting_after: intent })),
  intents("a page before a cursor", ({ intent }) => ({ ending_before: intent })),
  intents("by reference", ({ number }) => ({ merchant_reference: `order-${number}` })),
  ...["requires_payment", "paid", "expired", "canceled"].map((status) =>
    intents(`status ${status}`, () => ({ status })),
  ),
  ...["canceled", "requires_payment"].map((status) =>
    intents(`status ${status} behind a cursor`, ({ intent }) => ({ status, starting_after: intent })),
  ),
  intents("created within an hour", ({ createdAt }) => ({
    created_after: createdAt.toISOString(),
    created_before: new Date(createdAt.getTime() + HOUR_MS).toISOString(),
  })),
];

const PAYMENTS: readonly List[] = [
  ...ofEachFilter(LIST_PAYMENTS.query, payments),
  payments("first page", () => ({})),
  payments("a page behind a cursor", ({ payment }) => ({ starting_after: payment! }), true),
  payments("of an intent", ({ intent }) => ({ intent })),
  payments("settleable", () => ({ settleable: "true" })),
  payments(
    "status disputed and late, behind a cursor",
    ({ payment }) => ({ status: "disputed", late: "true", starting_after: payment! }),
    true,
  ),
];

const EVENTS: readonly List[] = [
  ...ofEachFilter(LIST_EVENTS.query, events),
  events("first page", () => ({})),
  events("after a sequence", ({ number }) => ({ after_sequence: String(4 * number) })),
  // The call never waits: there are events above.
  events("from the beginning", () => ({ after_sequence: "0", wait: "1" })),
  events("of a frequent type", () => ({ type: "payment_intent.created" })),
  events("of a type there is none of", () => ({ type: "payment.reverted" })),
  events("of a group", () => ({ type: "webhook_endpoint.*" })),
  events("of an intent", ({ intent }) => ({ intent })),
  events("of a payment", ({ payment }) => ({ payment: payment ?? "none" })),
  events("of a type, that occurred before", () => ({ type: "payment.protected", occurred_before: ago(20 * DAY_MS) })),
  events("that occurred since an hour", () => ({ occurred_after: ago(HOUR_MS) })),
  events("since an hour, from the beginning", () => ({ occurred_after: ago(HOUR_MS), after_sequence: "0" })),
];

/** By the statement: the history's events have no ids that a test could name. */
const EVENTS_BEHIND_A_CURSOR: Statement = {
  name: "/events: behind a cursor",
  run: (database, { tenant, number }) => {
    const filter = queryParser(LIST_EVENTS.query)(new URLSearchParams());
    return listEvents(database, tenant, filter, { above: null, below: String(4 * number), upward: false, limit: 20 });
  },
};

/**
 * Lists of the endpoint that gets the most deliveries. Each filter runs with a value that many rows have, one that few have,
 * or one that no row has.
 */
const deliveries = (name: string, query: (target: Target) => Query): List => ({
  path: "/deliveries",
  name: `deliveries: ${name}`,
  filters: Object.keys(query(SAMPLE)),
  run: async (database, target, unmeasured) => {
    const endpoint = await findEndpoint(unmeasured, target.tenant, `we_test_${"0".repeat(36)}`);
    const input = queryParser(LIST_DELIVERIES.query)(new URLSearchParams({ limit: "20", ...query(target) }));
    return listDeliveriesOf(database, endpoint!, input);
  },
});

const DELIVERIES: readonly List[] = [
  ...ofEachFilter(LIST_DELIVERIES.query, deliveries),
  deliveries("first page", () => ({})),
  ...["pending", "succeeded", "abandoned"].map((status) => deliveries(`status ${status}`, () => ({ status }))),
  ...["200", "204", "500"].map((code) => deliveries(`answered ${code}`, () => ({ status_code: code }))),
  deliveries("pending, answered 204", () => ({ status: "pending", status_code: "204" })),
  deliveries("of an error there is some of", () => ({ error_class: "server_error" })),
  deliveries("succeeded, of an error", () => ({ status: "succeeded", error_class: "server_error" })),
  deliveries("of a type", () => ({ type: "payment.protected" })),
  deliveries("abandoned, of a type", () => ({ status: "abandoned", type: "payment.protected" })),
  deliveries("of an intent", ({ intent }) => ({ object: intent })),
  deliveries("of a payment", ({ payment }) => ({ object: payment ?? "none" })),
  deliveries("made within an hour", ({ createdAt }) => ({
    created_after: createdAt.toISOString(),
    created_before: new Date(createdAt.getTime() + HOUR_MS).toISOString(),
  })),
  deliveries("of an error, of a type that hardly occurs", () => ({
    error_class: "server_error",
    type: "payment.decided",
  })),
  deliveries("answered 500, of a type that hardly occurs", () => ({ status_code: "500", type: "payment.decided" })),
  deliveries("pending, of a type that hardly occurs", () => ({ status: "pending", type: "payment.decided" })),
  deliveries("made before, of an error", () => ({ created_before: ago(20 * DAY_MS), error_class: "server_error" })),
];

const requests = (name: string, query: (target: Target) => Query): List => ({
  path: "/requests",
  name: `requests: ${name}`,
  filters: Object.keys(query(SAMPLE)),
  run: async (database, target) => {
    const input = queryParser(LIST_REQUESTS.query)(new URLSearchParams({ limit: "20", ...query(target) }));
    return listRequests(database, target.tenant, input);
  },
});

/** The hours of the charts. */
const HOURS: readonly Statement[] = [
  {
    name: "hours of an endpoint, a week",
    run: async (database, target, unmeasured) => {
      const endpoint = await findEndpoint(unmeasured, target.tenant, `we_test_${"0".repeat(36)}`);
      return listHours(database, endpoint!, new Date(Date.now() - 7 * DAY_MS), 31 * 24);
    },
  },
  {
    name: "hours of all endpoints, a week",
    run: (database, { tenant }) => listTenantHours(database, tenant, new Date(Date.now() - 7 * DAY_MS), 31 * 24),
  },
];

const REQUESTS: readonly List[] = [
  ...ofEachFilter(LIST_REQUESTS.query, requests),
  requests("first page", () => ({})),
  requests("of a key", () => ({ key: "key_1" })),
  requests("of a frequent error", () => ({ error_code: "invalid_request" })),
  requests("of a key, that failed", () => ({ key: "key_0", failed: "true" })),
  requests("of a key that hardly occurs, that failed", () => ({ key: "key_2", failed: "true" })),
  requests("of an error, of a key that hardly occurs", () => ({ key: "key_2", error_code: "invalid_request" })),
  requests("about an intent, that failed", ({ intent }) => ({ about: intent, failed: "true" })),
  requests("about an intent", ({ intent }) => ({ about: intent })),
  requests("of a day", () => ({ arrived_after: ago(3 * DAY_MS), arrived_before: ago(2 * DAY_MS) })),
  requests("of an error, of before", () => ({ error_code: "invalid_request", arrived_before: ago(2 * DAY_MS) })),
];

/** Finders of the inspector and of the pages of events. */
const LOOK_UPS: readonly Statement[] = [
  {
    name: "look-up: an intent by its reference",
    run: (database, { tenant, number }) => findIntentByReference(database, tenant, `order-${number}`),
  },
  {
    name: "look-up: an intent by its paymentId",
    run: (database, { tenant, number }) => findIntentByPaymentId(database, tenant, String(number)),
  },
  {
    name: "look-up: payments by their signature",
    run: (database, { tenant, number }) => listPaymentsOfSignature(database, tenant, `signature-${number}`, 10),
  },
  { name: "look-up: payments that match no order", run: (database, { tenant }) => listOpenUnmatched(database, tenant) },
  { name: "look-up: tokens of payments", run: (database, { tenant }) => listPaidAssets(database, tenant) },
  {
    name: "look-up: payments of a wallet",
    run: (database, { tenant }) => hasPaymentsOfSender(database, tenant, NOBODY),
  },
  {
    name: "look-up: events of an address",
    run: (database, { tenant, payment }) => hasEventsOfPayment(database, tenant, payment ?? "none"),
  },
  {
    name: "look-up: an event's deliveries",
    run: async (database, { tenant, number }, unmeasured) => {
      const event = await unmeasured.row<{ id: string }>(sql`
        select id from events where business_id = ${tenant.businessId} and environment = ${tenant.environment}
        order by sequence desc limit 1 offset ${number % 100}::integer`);
      await listDeliveriesOfEvent(database, tenant, event!.id);
    },
  },
  {
    name: "look-up: the requests around a change",
    run: (database, { tenant, intent }) =>
      database.rows(requestsAround(tenant, intent, new Date(Date.now() - DAY_MS), false)),
  },
];

/** All statements of the home page's request, as an operator has it. */
const HOME: Statement = {
  name: "home",
  isOneAnswer: true,
  run: (slowDatabase, { tenant }) =>
    readOverview(testContext({ slowDatabase }), () => ({ isHeld: false, low: [] }), tenant, {
      token: null,
      isOperator: true,
    }),
};

export const LISTS: readonly Statement[] = [
  HOME,
  ...INTENTS,
  ...PAYMENTS,
  ...EVENTS,
  EVENTS_BEHIND_A_CURSOR,
  ...DELIVERIES,
  ...HOURS,
  ...REQUESTS,
  ...STAFF_INTENTS,
  ...STAFF_PAYMENTS,
  ...LOOK_UPS,
];
