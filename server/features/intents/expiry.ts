import type { Environment } from "../../domain/terms.ts";
import { type Row, time, word } from "../../lib/columns.ts";
import { reportFallback } from "../../lib/fallback.ts";
import { RestList } from "../../lib/restList.ts";
import { readNow, statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { fieldRows } from "../../store/table.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import { watermarkOf } from "../chains/fragments.ts";
import type { ChainContext } from "../context.ts";
import { draftEvent, type EventDraft, occurredAfter } from "../events/event.ts";
import { recordEvents } from "../webhooks/fragments.ts";
import { type LockedIntent, readLockedRow } from "./fragments.ts";
import { showAnnouncedIntent, showIntent } from "./intent.ts";

/** Intents per transaction. */
const BATCH_MAX = 200;
/** The first wait before an intent is tried again whose end could not be recorded. */
const REST_FIRST_MS = 30_000;
const REST_MAX_MS = 3_600_000;

/**
 * The step that announces intents that expired unpaid. Reads say `expired` by the clock alone; the event waits until the
 * sweep has processed everything up to past `expiresAt`, so that a payment made in time is announced first. Workers share
 * the due intents, and those whose events cannot be recorded, however many, do not hold up the others.
 */
export function createExpiryStep(ctx: ChainContext): () => Promise<boolean> {
  const resting = new RestList(REST_FIRST_MS, REST_MAX_MS);
  return () => announceExpired(ctx, resting);
}

async function announceExpired(ctx: ChainContext, resting: RestList): Promise<boolean> {
  const { database, log } = ctx;
  let taken: readonly string[] = [];
  try {
    await database.transaction(async (db) => {
      const due = await lockDue(db, ctx.chain.environment, sql`not (i.id = any(${resting.list()}::text[]))`);
      taken = due.map(({ intent }) => intent.id);
      await expire(db, ctx, due);
    });
    return taken.length === BATCH_MAX;
  } catch (error) {
    if (error instanceof DatabaseUnavailableError || taken.length === 0) throw error;
    if (taken.length > 1) reportFallback("expired_intents", taken.length, error, log);
    return (await expireSingly(ctx, taken, resting)) && taken.length === BATCH_MAX;
  }
}

/** Returns true when the next step gets other intents: each of these was recorded, or rests. */
async function expireSingly(ctx: ChainContext, ids: readonly string[], resting: RestList): Promise<boolean> {
  let isPast = true;
  for (const id of ids) {
    const isDoneOrRests = await resting.attempt(
      id,
      () =>
        ctx.database.transaction(async (db) =>
          expire(db, ctx, await lockDue(db, ctx.chain.environment, sql`i.id = ${id}`)),
        ),
      (error) => ctx.log(`The end of ${id} could not be recorded and is tried again later.`, error),
    );
    if (!isDoneOrRests) isPast = false;
  }
  return isPast;
}

/** Locks due intents to the end of the transaction, the ones due longest first. Skips those that another transaction has locked. */
async function lockDue(db: Db, environment: Environment, chosen: Sql): Promise<Omit<LockedIntent, "now">[]> {
  // The watermark is a scalar, not a join, so it is an index condition: rows that are not due are never read. Two
  // conditions, because `least` ignores a null: without a watermark nothing is due.
  const watermark = watermarkOf(environment);
  const rows = await db.rows<Row>(sql`
    select i.* from intents i
    where i.environment = ${environment} and i.status = 'requires_payment'
      and i.expires_at < ${watermark} and i.expires_at < ${statementNow(environment)} and ${chosen}
    order by i.expires_at limit ${BATCH_MAX}::integer
    for update skip locked`);
  return rows.map(readLockedRow);
}

async function expire(
  db: Db,
  { chain: { environment }, checkoutUrl }: ChainContext,
  due: readonly Omit<LockedIntent, "now">[],
): Promise<void> {
  if (due.length === 0) return;
  const now = await readNow(db, environment);
  const events = due.map((locked) => draftExpired(locked, now, checkoutUrl));
  const ends = events.map((event) => ({
    businessId: event.tenant.businessId,
    id: event.pendingEvent.objectId,
    occurredAt: event.pendingEvent.occurredAt,
  }));
  await db.rows(sql`
    with changed as (
      update intents i set status = 'expired', holds_reference = false, announced = null, last_occurred_at = e.occurred_at
      from ${endRows(ends)} where i.business_id = e.business_id and i.id = e.id and i.status = 'requires_payment'
      returning i.id),
    ${recordEvents(events, sql`d.object_id in (select id from changed)`)}
    select sequence from recorded_events`);
}

const endRows = fieldRows("e", { businessId: word(), id: word(), occurredAt: time() });

function draftExpired(locked: Omit<LockedIntent, "now">, now: Date, checkoutUrl: string): EventDraft {
  const { intent, generation, lastOccurredAt, announced } = locked;
  const expired = { ...intent, status: "expired" } as const;
  return draftEvent(
    intent,
    {
      type: "payment_intent.expired",
      objectId: intent.id,
      generation,
      // The row that expires is its key: it is locked, and open only once in a generation.
      transition: null,
      intentId: intent.id,
      paymentAddress: null,
      occurredAt: occurredAfter(lastOccurredAt, intent.expiresAt),
      object: showIntent(expired, null, now, checkoutUrl),
      before: showAnnouncedIntent(intent, null, announced, checkoutUrl),
    },
    now,
  );
}
