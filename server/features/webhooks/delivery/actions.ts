import { setTimeout as sleep } from "node:timers/promises";
import { ActionError } from "../../../domain/actionError.ts";
import type { Actor, Tenant } from "../../../domain/callers.ts";
import type { Database, Db } from "../../../store/database.ts";
import { recordAudit } from "../../audit/fragments.ts";
import { requireEndpoint } from "../endpointQueries.ts";
import { describeEndpoint } from "../fragments.ts";
import { ATTEMPT_MS } from "../sending/send.ts";
import {
  type DeliveryFilter,
  type DeliveryRow,
  findTestAttempt,
  listDeliveryRows,
  type TestAttemptRow,
} from "./history.ts";
import { notifyWorkers } from "./notify.ts";
import { type QueuedResend, queueResend, queueTest } from "./queueQueries.ts";

/** An endpoint's deliveries, newest event first. Throws {@link ActionError}: `endpoint_not_found`. */
export async function listDeliveries(
  db: Db,
  tenant: Tenant,
  endpointId: string,
  filter: DeliveryFilter,
): Promise<DeliveryRow[]> {
  return listDeliveryRows(db, await requireEndpoint(db, tenant, endpointId), filter);
}

/**
 * Sends one event once more (§6.7.5), unless a manual resend of it is queued. Throws {@link ActionError}:
 * `endpoint_not_found`, `delivery_not_found`.
 */
export async function resendDelivery(
  database: Database,
  actor: Actor,
  tenant: Tenant,
  endpointId: string,
  eventId: string,
): Promise<QueuedResend> {
  const queued = await database.transaction(async (db) => {
    const endpoint = await requireEndpoint(db, tenant, endpointId);
    const resend = await queueResend(db, endpoint, eventId);
    if (resend === null)
      throw new ActionError(
        "delivery_not_found",
        `${eventId} has no delivery to ${endpointId}. To send events that it never received, use webhook replay.`,
      );
    if (resend.isNew)
      await db.rows(recordAudit(actor, describeEndpoint("delivery.resent", endpoint, { event: eventId })));
    return resend;
  });
  await notifyWorkers(database);
  return queued;
}

export interface TestSent {
  readonly eventId: string;
  /** The attempt; null if no worker has made it within the time of an attempt. */
  readonly attempt: TestAttemptRow | null;
}

const TEST_WAIT_MS = ATTEMPT_MS + 2_000;
const POLL_MS = 100;

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
  for (let waitedMs = 0; waitedMs < TEST_WAIT_MS; waitedMs += POLL_MS) {
    const attempt = await findTestAttempt(database, endpoint, eventId);
    if (attempt !== null) return { eventId, attempt };
    await sleep(POLL_MS);
  }
  return { eventId, attempt: null };
}
