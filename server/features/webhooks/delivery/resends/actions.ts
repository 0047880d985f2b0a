import { ActionError } from "../../../../domain/actionError.ts";
import type { Actor, Tenant } from "../../../../domain/callers.ts";
import type { Database, Db } from "../../../../store/database.ts";
import { recordAudit } from "../../../audit/fragments.ts";
import { requireEndpoint } from "../../endpointQueries.ts";
import { describeEndpoint } from "../../fragments.ts";
import type { Endpoint } from "../../webhook.ts";
import { listDeliveriesOf } from "../list.ts";
import { notifyWorkers } from "../notify.ts";
import {
  countWaiting,
  queueObjectResend,
  queueReplayPart,
  queueResends,
  RESENDS_OF_OBJECT_MAX,
  type ReplayFrom,
} from "../queueQueries.ts";
import type { DeliveryQuery } from "../schema.ts";
import { advanceResend, beginResend, lockResend, type ResendRow } from "./queries.ts";

/** Manual attempts go before all others, so this limits their number per endpoint. */
const RESENDS_WAITING_MAX = 10_000;
const REPLAYS_WAITING_MAX = 100_000;
/** The maximum of deliveries per resend, and of events per replay. */
export const RESENT_MAX = 10_000;
export const REPLAYED_MAX = 100_000;
/** Deliveries per call: one page of a list, and one short transaction. */
const RESENT_AT_ONCE = 500;

async function refuseMany(db: Db, endpoint: Endpoint, priority: "asked" | "later", most: number): Promise<void> {
  if ((await countWaiting(db, endpoint, priority, most)) < most) return;
  throw new ActionError(
    "resends_waiting",
    `${most} attempts are already queued for ${endpoint.id}. Continue when most of them are sent.`,
  );
}

/** The parameters of a resend. */
export interface ResendCall {
  readonly tenant: Tenant;
  readonly endpointId: string;
  /** Chosen by the caller. A call with the same id continues the same resend. */
  readonly id: string;
}

/** Begins the resend with its id, or reads its progress. Throws {@link ActionError}: `endpoint_not_found`, `resend_differs`. */
async function begin(db: Db, call: ResendCall, kind: string, request: object) {
  const endpoint = await requireEndpoint(db, call.tenant, call.endpointId);
  const text = JSON.stringify({ kind, ...request });
  const begun = await beginResend(db, endpoint, call.id, text);
  if (begun.request !== text)
    throw new ActionError("resend_differs", `${call.id} was started with another request. Use a new ID for this one.`);
  return { endpoint, begun };
}

/**
 * Resends the matching deliveries, newest event first: one part per call, in one transaction with the progress.
 * Returns the total queued so far. Throws {@link ActionError}: `endpoint_not_found`, `resend_differs`,
 * `resends_waiting`.
 */
export async function resendMatching(
  databases: { readonly database: Database; readonly slowDatabase: Database },
  actor: Actor,
  call: ResendCall,
  query: Omit<DeliveryQuery, "startingAfter" | "limit">,
): Promise<ResendRow> {
  const { database, slowDatabase } = databases;
  const { endpoint, begun } = await begin(database, call, "matching", query);
  if (begun.ended_at !== null) return begun;
  const limit = Math.min(RESENT_AT_ONCE, RESENT_MAX - begun.resent);
  const found = await listDeliveriesOf(slowDatabase, endpoint, { ...query, startingAfter: begun.position, limit });
  const chosen = found.slice(0, limit).map(({ event_id }) => event_id);
  const hasMore = found.length > limit;
  const row = await database.transaction(async (db) => {
    const locked = await lockResend(db, endpoint, call.id);
    // Another call has queued this part meanwhile: both return its result.
    if (locked.position !== begun.position || locked.ended_at !== null) return locked;
    await refuseMany(db, endpoint, "asked", RESENDS_WAITING_MAX);
    const resent = await queueResends(db, endpoint, call.id, chosen);
    if (resent > 0) await audit(db, actor, endpoint, "deliveries.resent", { count: resent, resend: call.id });
    const limited = hasMore && begun.resent + resent >= RESENT_MAX;
    const position = chosen.at(-1) ?? locked.position;
    const ended = !hasMore || limited;
    return advanceResend(db, endpoint, call.id, { resent, made: 0, position, upToSequence: null, ended, limited });
  });
  await notifyWorkers(database);
  return row;
}

/**
 * Sends all events of one intent or payment once more, in order. Throws {@link ActionError}: `endpoint_not_found`,
 * `resend_differs`, `resends_waiting`, `object_has_no_events`.
 */
export async function resendAllOfObject(
  database: Database,
  actor: Actor,
  call: ResendCall,
  objectId: string,
): Promise<ResendRow> {
  const { endpoint, begun } = await begin(database, call, "object", { object: objectId });
  if (begun.ended_at !== null) return begun;
  const row = await database.transaction(async (db) => {
    const locked = await lockResend(db, endpoint, call.id);
    if (locked.ended_at !== null) return locked;
    await refuseMany(db, endpoint, "asked", RESENDS_WAITING_MAX);
    const resent = await queueObjectResend(db, endpoint, objectId, call.id);
    if (resent === 0)
      throw new ActionError("object_has_no_events", `${objectId} has no event that ${endpoint.id} subscribes to.`);
    await audit(db, actor, endpoint, "deliveries.resent", { object: objectId, count: resent, resend: call.id });
    const limited = resent === RESENDS_OF_OBJECT_MAX;
    return advanceResend(db, endpoint, call.id, {
      ...{ resent, made: 0, limited, ended: true },
      ...{ position: null, upToSequence: null },
    });
  });
  await notifyWorkers(database);
  return row;
}

/**
 * Sends all subscribed events recorded since then: one part per call, in one transaction with the progress. Throws
 * {@link ActionError}: `endpoint_not_found`, `resend_differs`, `resends_waiting`.
 */
export async function replaySince(
  database: Database,
  actor: Actor,
  call: ResendCall,
  from: ReplayFrom,
): Promise<ResendRow> {
  const start =
    "since" in from ? { since: from.since.toISOString() } : { afterSequence: from.afterSequence.toString() };
  const { endpoint, begun } = await begin(database, call, "replay", start);
  if (begun.ended_at !== null) return begun;
  const row = await database.transaction(async (db) => {
    const locked = await lockResend(db, endpoint, call.id);
    if (locked.ended_at !== null) return locked;
    await refuseMany(db, endpoint, "later", REPLAYS_WAITING_MAX);
    const upTo = locked.up_to_sequence === null ? null : BigInt(locked.up_to_sequence);
    const after = locked.position === null ? null : BigInt(locked.position);
    const part = await queueReplayPart(db, endpoint, { from, after, upTo, resend: call.id });
    const { resent, made } = part;
    if (resent + made > 0)
      await audit(db, actor, endpoint, "deliveries.replayed", { ...start, resent, made, resend: call.id });
    const limited = part.afterSequence !== null && locked.resent + locked.made + resent + made >= REPLAYED_MAX;
    return advanceResend(db, endpoint, call.id, {
      ...{ resent, made, limited, ended: part.afterSequence === null || limited },
      position: part.afterSequence?.toString() ?? locked.position,
      upToSequence: part.upToSequence.toString(),
    });
  });
  await notifyWorkers(database);
  return row;
}

const audit = (
  db: Db,
  actor: Actor,
  endpoint: Endpoint,
  action: "deliveries.resent" | "deliveries.replayed",
  details: Readonly<Record<string, string | number>>,
) => db.rows(recordAudit(actor, describeEndpoint(action, endpoint, details)));
