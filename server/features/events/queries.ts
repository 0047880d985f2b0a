import type { Owner } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

/** An event as kept: its frozen body and its place in the sequence. */
export interface StoredEvent {
  readonly sequence: string;
  readonly body: string;
}

export interface EventFilter {
  /** Exact types, and prefixes that end in a dot. Both empty: all. */
  readonly types: readonly string[];
  readonly prefixes: readonly string[];
  readonly intent: string | null;
  readonly payment: string | null;
  readonly occurredAfter: Date | null;
  readonly occurredBefore: Date | null;
}

/** Sequences strictly between `above` and `below`; `upward`: the lowest of them rather than the highest. Newest first either way. */
export interface EventRange {
  readonly above: string | null;
  readonly below: string | null;
  readonly upward: boolean;
  readonly limit: number;
}

/** One row more than the limit says whether there is more in that direction. */
export async function listEvents(db: Db, owner: Owner, filter: EventFilter, range: EventRange): Promise<StoredEvent[]> {
  const matching = sql`
    e.business_id = ${owner.businessId} and e.environment = ${owner.environment}
    and (${range.above}::bigint is null or e.sequence > ${range.above})
    and (${range.below}::bigint is null or e.sequence < ${range.below})
    and (${filter.types.length + filter.prefixes.length === 0} or e.type = any(${filter.types}::text[])
      or exists (select from unnest(${filter.prefixes}::text[]) as p (prefix) where starts_with(e.type, p.prefix)))
    and (${filter.intent}::text is null or e.intent_id = ${filter.intent})
    and (${filter.payment}::text is null or e.payment_address = ${filter.payment})
    and (${filter.occurredAfter}::timestamptz is null or e.occurred_at > ${filter.occurredAfter})
    and (${filter.occurredBefore}::timestamptz is null or e.occurred_at < ${filter.occurredBefore})`;
  const events = range.upward
    ? await db.rows<StoredEvent>(
        sql`select e.sequence, e.body from events e where ${matching} order by e.sequence limit ${range.limit + 1}`,
      )
    : await db.rows<StoredEvent>(
        sql`select e.sequence, e.body from events e where ${matching} order by e.sequence desc limit ${range.limit + 1}`,
      );
  return range.upward ? events.reverse() : events;
}

export const findEvent = (db: Db, owner: Owner, id: string) =>
  db.row<StoredEvent>(sql`
    select e.sequence, e.body from events e
    where e.business_id = ${owner.businessId} and e.id = ${id} and e.environment = ${owner.environment}`);

/** The newest sequence of each owner, in the order asked. */
export async function listLastSequences(db: Db, owners: readonly Owner[]): Promise<string[]> {
  const rows = await db.rows<{ last_sequence: string }>(sql`
    select c.last_sequence
    from unnest(${owners.map((owner) => owner.businessId)}::text[], ${owners.map((owner) => owner.environment)}::text[])
      with ordinality as o (business_id, environment, place)
    join event_counters c on c.business_id = o.business_id and c.environment = o.environment
    order by o.place`);
  return rows.map((row) => row.last_sequence);
}
