import { overviewFigures } from "../../server/app/figures.ts";
import { newEventId } from "../../server/domain/ids.ts";
import { hashSecretKey } from "../../server/domain/secretKeys.ts";
import { purgeAnswers } from "../../server/edge/http/idempotency.ts";
import { findCheckout } from "../../server/features/checkout/page/queries.ts";
import { findEvent, listLastSequences } from "../../server/features/events/queries.ts";
import { createExpiryStep } from "../../server/features/intents/expiry.ts";
import { lockIntents } from "../../server/features/intents/fragments.ts";
import { findIntents } from "../../server/features/intents/queries.ts";
import { admitRequests } from "../../server/features/keys/admission.ts";
import { findPayment } from "../../server/features/payments/queries.ts";
import { findTenantsByPaymentId, listRecorded } from "../../server/features/recording/decide/queries.ts";
import { listUnfinalized, listUnfinished } from "../../server/features/recording/finality/queries.ts";
import { pruneUnmatched } from "../../server/features/recording/sweep/pruneUnmatched.ts";
import { claimSignatures, pruneInbox } from "../../server/features/recording/sweep/queries.ts";
import { createReconcileStep } from "../../server/features/recording/sweep/reconcile.ts";
import { claimDue, claimDueUnmatched, listBusinessesDue } from "../../server/features/settlement/claims.ts";
import { listSettleableUnannounced } from "../../server/features/settlement/queries.ts";
import { testContext } from "../../server/features/testing.ts";
import { claimDeliveries, claimNewDeliveries, QUEUE_PLANNING } from "../../server/features/webhooks/delivery/claims.ts";
import { listDeliveryRows } from "../../server/features/webhooks/delivery/history.ts";
import { queueObjectResend } from "../../server/features/webhooks/delivery/queueQueries.ts";
import { keepHistory } from "../../server/features/webhooks/delivery/upkeep.ts";
import { findEndpoint, findTenantOfEndpoint } from "../../server/features/webhooks/endpointQueries.ts";
import { listSealedSecrets, resealSecrets } from "../../server/features/webhooks/endpoints/keyQueries.ts";
import { newKeyRing } from "../../server/features/webhooks/sending/secret.ts";
import type { Database } from "../../server/store/database.ts";
import { KEYED_PLANNING, ORDERED_PLANNING } from "../../server/store/planSettings.ts";
import { sql } from "../../server/store/sql.ts";
import { LISTS } from "./lists.ts";
import { MONEY_PAGES } from "./moneyPages.ts";
import type { Statement } from "./target.ts";

const ENVIRONMENT = "test";
const now = () => new Date();
/** Statements of the same connections. */
export interface StatementGroup {
  readonly title: string;
  /** The planner settings of those connections. */
  readonly planning: string;
  readonly statements: readonly Statement[];
}

const SINGLE: readonly Statement[] = [
  { name: "key and rate", run: (database, { key }) => admitRequests(database, [hashSecretKey(key)!]) },
  { name: "intent", run: (database, { tenant, intent }) => findIntents(database, [{ tenant, id: intent }]) },
  { name: "checkout", run: (database, { intent }) => findCheckout(database, intent) },
  { name: "payment", paid: true, run: (database, { tenant, payment }) => findPayment(database, tenant, payment!) },
  {
    name: "event",
    run: (database, { tenant, createdAt }) => findEvent(database, tenant, newEventId(tenant, createdAt)),
  },
  { name: "events awaited", run: (database, { tenant }) => listLastSequences(database, [tenant]) },
];

/** A chain without payments whose head is far ahead, so that a loop whose statement is measured does no work. */
const nobody = {
  environment: ENVIRONMENT,
  revertRule: { slots: 300, apartMs: 30_000 },
  reader: {
    bindCommitment: "confirmed",
    slotsIn: (ms: number) => ms / 200,
    fetchHead: async () => ({ value: { blockTime: now() }, slot: 1_000_000_000, node: 0 }),
    fetchPaymentsInSpan: async () => ({ value: [], slot: 0, node: 0 }),
    fetchPayments: async () => ({ value: [], slot: 0, node: 0 }),
  },
} as never;
const never = new AbortController().signal;
const quietOn = (database: Database) => testContext({ database, chain: nobody });

const LOOPS: readonly Statement[] = [
  {
    name: "expiry",
    run: (database) => createExpiryStep(quietOn(database))(),
  },
  { name: "recheck: unfinished", run: (database) => listUnfinished(database, ENVIRONMENT, sql`payments`, 60_000, 80) },
  {
    name: "recheck: unmatched",
    run: (database) => listUnfinished(database, ENVIRONMENT, sql`unmatched_payments`, 60_000, 20),
  },
  { name: "finality", run: (database) => listUnfinalized(database, ENVIRONMENT, 100, 20) },
  { name: "unmatched", run: (database) => pruneUnmatched(quietOn(database), never) },
  { name: "reconcile", run: (database) => createReconcileStep(quietOn(database))(never) },
  { name: "settleable", run: (database) => listSettleableUnannounced(database, ENVIRONMENT, [], 100) },
  {
    name: "keeper: businesses",
    // Each business that is visited takes up to three pages: two of the index, and the row's own until a vacuum has seen it.
    run: (database) => listBusinessesDue(database, ENVIRONMENT, "", { found: 40, visited: 40 }),
  },
  {
    name: "keeper: claim",
    // Each claimed payment takes some five pages of each index that its new row enters.
    run: (database, { tenant }) => claimDue(database, ENVIRONMENT, [tenant.businessId], 1),
  },
  { name: "keeper: claim of two of no intent", run: (database) => claimDueUnmatched(database, ENVIRONMENT, 2) },
  {
    name: "sweep: unread",
    run: (database) => claimSignatures(database, ENVIRONMENT, { limit: 100, failedLimit: 25 }, 0),
  },
  {
    name: "sweep: whose payment",
    run: (database, { number }) => findTenantsByPaymentId(database, ENVIRONMENT, [String(number)]),
  },
  {
    name: "record: intents",
    run: (database, { tenant, intent }) => lockIntents(database, ENVIRONMENT, [{ tenant, id: intent }]),
  },
  {
    name: "record: payments of an intent",
    run: (database, { tenant, intent }) =>
      listRecorded(database, [{ tenant: { ...tenant, intentId: intent }, observed: [], generation: 1 }]),
  },
  { name: "feed: prune", run: (database) => pruneInbox(database, ENVIRONMENT, 1_000_000) },
  { name: "purge of kept answers", run: (database) => purgeAnswers(database) },
  {
    name: "/metrics",
    run: async (database) => {
      for (const figure of overviewFigures(database, [], new Set())) await figure.read();
    },
  },
];

const ROOM = { worker: crypto.randomUUID(), slots: 512, failingSlots: 128, endpoints: [] };
const WORKER: readonly Statement[] = [
  {
    name: "claim: everything",
    run: (database) => claimDeliveries(database, ROOM, crypto.randomUUID()),
  },
  {
    name: "claim: just recorded",
    run: (database, { tenant }) => claimNewDeliveries(database, ROOM, crypto.randomUUID(), [tenant.businessId]),
  },
  { name: "webhook upkeep", run: (database) => keepHistory({ database, log: () => undefined }, 3_650) },
  { name: "webhook upkeep: reseal", run: (database) => resealSecrets(database, newKeyRing(), () => undefined) },
  { name: "start: stored secrets", run: (database) => listSealedSecrets(database).next() },
];

/** Finds an endpoint by its id alone, like the admin CLI. */
async function findNamedEndpoint(database: Database, number: number) {
  const id = `we_test_${String(number).padStart(36, "0")}`;
  return (await findEndpoint(database, (await findTenantOfEndpoint(database, id))!, id))!;
}

const ADMIN: readonly Statement[] = [
  { name: "admin: endpoint", run: (database) => findNamedEndpoint(database, 1) },
  {
    name: "admin: deliveries of an endpoint",
    run: async (database) =>
      listDeliveryRows(database, await findNamedEndpoint(database, 0), {
        status: null,
        eventId: null,
        limit: 20,
      }),
  },
  {
    name: "admin: abandoned deliveries of an endpoint",
    run: async (database) =>
      listDeliveryRows(database, await findNamedEndpoint(database, 0), {
        status: "abandoned",
        eventId: null,
        limit: 20,
      }),
  },
  {
    name: "admin: resend all of an intent",
    run: async (database, { intent }) =>
      queueObjectResend(database, await findNamedEndpoint(database, 0), intent, "res_1"),
  },
];

/** The statements of merchants' requests, loops, workers and people, grouped by the connections they run on. */
export const STATEMENTS: readonly StatementGroup[] = [
  { title: "single objects", planning: KEYED_PLANNING, statements: SINGLE },
  { title: "lists, of the largest business", planning: ORDERED_PLANNING, statements: [...LISTS, ...MONEY_PAGES] },
  { title: "loops and figures", planning: ORDERED_PLANNING, statements: LOOPS },
  { title: "webhook worker", planning: QUEUE_PLANNING, statements: WORKER },
  { title: "admin CLI", planning: "", statements: ADMIN },
];
