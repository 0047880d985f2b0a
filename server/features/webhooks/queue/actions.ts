import { setTimeout as sleep } from "node:timers/promises";
import { ActionError } from "../../../domain/actionError.ts";
import type { Actor, Tenant } from "../../../domain/callers.ts";
import type { Database, Db } from "../../../store/database.ts";
import { recordAudit } from "../../staff/audit/fragments.ts";
import { requireEndpoint } from "../endpoints/actions.ts";
import { describeEndpoint } from "../fragments.ts";
import { ATTEMPT_MS } from "../sending/send.ts";
import type { Endpoint } from "../webhook.ts";
import {
  type DeliveryFilter,
  type DeliveryRow,
  type ExtraAttemptRow,
  findExtraAttempt,
  listDeliveryRows,
} from "./history.ts";
import { type DeliveryQuery, listDeliveriesOf } from "./list.ts";
import { notifyWorkers } from "./notify.ts";
import {
  countWaiting,
  queueObjectResend,
  queueReplay,
  queueReplayPart,
  queueResend,
  queueResends,
  queueTest,
  type Replayed,
  type ReplayedPart,
  type ReplayFrom,
} from "./resends.ts";

/** An endpoint's deliveries, newest event first. Throws {@link ActionError}: `endpoint_not_found`. */
export async function listDeliveries(
  db: Db,
  tenant: Tenant,
  endpointId: string,
  filter: DeliveryFilter,
): Promise<DeliveryRow[]> {
  return listDeliveryRows(db, await requireEndpoint(db, tenant, endpointId), filter);
}

/** Sends one event once more (§6.7.5). Throws {@link ActionError}: `endpoint_not_found`, `delivery_not_found`. */
export async function resendDelivery(
  database: Database,
  actor: Actor,
  tenant: Tenant,
  endpointId: string,
  eventId: string,
): Promise<void> {
  await database.transaction(async (db) => {
    const endpoint = await requireEndpoint(db, tenant, endpointId);
    if ((await queueResend(db, endpoint, eventId)) === null)
      throw new ActionError(
        "delivery_not_found",
        `${eventId} has no delivery to ${endpointId}. To send what it never got, use webhook replay.`,
      );
    await db.rows(recordAudit(actor, describeEndpoint("delivery.resent", endpoint, { event: eventId })));
  });
  await notifyWorkers(database);
}

/**
 * Sends all events of one intent or payment once more, in order; answers with how many. Throws {@link ActionError}:
 * `endpoint_not_found`, `object_has_no_events`.
 */
export async function resendObject(
  database: Database,
  actor: Actor,
  tenant: Tenant,
  endpointId: string,
  objectId: string,
): Promise<number> {
  const count = await database.transaction(async (db) => {
    const endpoint = await requireEndpoint(db, tenant, endpointId);
    const queued = await queueObjectResend(db, endpoint, objectId);
    if (queued === 0)
      throw new ActionError("object_has_no_events", `${objectId} has no event that ${endpointId} subscribes to.`);
    const details = { object: objectId, count: queued };
    await db.rows(recordAudit(actor, describeEndpoint("deliveries.resent", endpoint, details)));
    return queued;
  });
  await notifyWorkers(database);
  return count;
}

/**
 * Sends everything recorded since then that the endpoint subscribes to, page after page. The entry of the audit log commits
 * before the first page. Throws {@link ActionError}: `endpoint_not_found`.
 */
export async function replayEvents(
  database: Database,
  actor: Actor,
  tenant: Tenant,
  endpointId: string,
  from: ReplayFrom,
): Promise<Replayed> {
  const endpoint = await requireEndpoint(database, tenant, endpointId);
  const start =
    "since" in from ? { since: from.since.toISOString() } : { afterSequence: from.afterSequence.toString() };
  await database.rows(recordAudit(actor, describeEndpoint("deliveries.replayed", endpoint, start)));
  // Pages that were queued before a failure are due all the same.
  return queueReplay(database, endpoint, from).finally(() => notifyWorkers(database));
}

/** Attempts that a person asked for go before all others, so no more than these wait for an endpoint at a time. */
const RESENDS_WAITING_MAX = 10_000;
const REPLAYS_WAITING_MAX = 100_000;

async function refuseMany(db: Db, endpoint: Endpoint, priority: 0 | 2, most: number): Promise<void> {
  if ((await countWaiting(db, endpoint, priority, most)) < most) return;
  throw new ActionError(
    "resends_waiting",
    `${most} attempts wait for ${endpoint.id} already. Go on when most of them have been sent.`,
  );
}

/** What one call of a resend in parts has done. */
export interface ResentPart {
  readonly count: number;
  /** The event where the next part begins; null: nothing is left. */
  readonly startingAfter: string | null;
}

/**
 * Sends once more what matches, newest event first, one part of it. Throws {@link ActionError}: `endpoint_not_found`,
 * `resends_waiting`.
 */
export async function resendMatching(
  databases: { readonly database: Database; readonly slowDatabase: Database },
  actor: Actor,
  tenant: Tenant,
  endpointId: string,
  query: DeliveryQuery,
): Promise<ResentPart> {
  const { database, slowDatabase } = databases;
  const endpoint = await requireEndpoint(database, tenant, endpointId);
  const found = await listDeliveriesOf(slowDatabase, endpoint, query);
  const chosen = found.slice(0, query.limit);
  const count = await database.transaction(async (db) => {
    await refuseMany(db, endpoint, 0, RESENDS_WAITING_MAX);
    const queued = await queueResends(
      db,
      endpoint,
      chosen.map(({ event_id }) => event_id),
    );
    if (queued > 0)
      await db.rows(recordAudit(actor, describeEndpoint("deliveries.resent", endpoint, { count: queued })));
    return queued;
  });
  await notifyWorkers(database);
  return { count, startingAfter: found.length > query.limit ? chosen.at(-1)!.event_id : null };
}

/**
 * One part of {@link replayEvents}, so that each is one transaction with its entry of the audit log. Throws
 * {@link ActionError}: `endpoint_not_found`, `resends_waiting`.
 */
export async function replayPart(
  database: Database,
  actor: Actor,
  tenant: Tenant,
  endpointId: string,
  from: ReplayFrom,
  upToSequence: bigint | null,
): Promise<ReplayedPart> {
  const part = await database.transaction(async (db) => {
    const endpoint = await requireEndpoint(db, tenant, endpointId);
    await refuseMany(db, endpoint, 2, REPLAYS_WAITING_MAX);
    const queued = await queueReplayPart(db, endpoint, from, upToSequence);
    const start =
      "since" in from ? { since: from.since.toISOString() } : { afterSequence: from.afterSequence.toString() };
    const details = { ...start, resent: queued.resent, made: queued.made };
    await db.rows(recordAudit(actor, describeEndpoint("deliveries.replayed", endpoint, details)));
    return queued;
  });
  await notifyWorkers(database);
  return part;
}

export interface TestSent {
  readonly eventId: string;
  /** Null: no worker has sent it within the time of an attempt. */
  readonly attempt: ExtraAttemptRow | null;
}

const TEST_WAIT_MS = ATTEMPT_MS + 2_000;
const LOOK_MS = 100;

/** Sends a `webhook.test` event and waits for its attempt (§6.7.6). Throws {@link ActionError}: `endpoint_not_found`. */
export async function testEndpoint(
  database: Database,
  actor: Actor,
  tenant: Tenant,
  endpointId: string,
): Promise<TestSent> {
  const endpoint = await requireEndpoint(database, tenant, endpointId);
  const eventId = await database.transaction(async (db) => {
    const queued = await queueTest(db, endpoint);
    await db.rows(recordAudit(actor, describeEndpoint("endpoint.tested", endpoint, { event: queued })));
    return queued;
  });
  await notifyWorkers(database);
  for (let waitedMs = 0; waitedMs < TEST_WAIT_MS; waitedMs += LOOK_MS) {
    const attempt = await findExtraAttempt(database, endpoint, eventId, "test");
    if (attempt !== null) return { eventId, attempt };
    await sleep(LOOK_MS);
  }
  return { eventId, attempt: null };
}
