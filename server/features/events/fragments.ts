import type { Tenant } from "../../domain/callers.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import { announcing, relation, type Sql, sql } from "../../store/sql.ts";
import type { EventDraft } from "./event.ts";

/**
 * CTEs `drafts`, `numbered`, `keyed` and `recorded_events`, for the `recordEvents` of webhooks, which adds the deliveries.
 * The statement announces the businesses of the events once it has committed.
 *
 * The lock of a counter's row is held to the commit, so a tenant's sequences have no gaps and are in commit order;
 * `numbered.last` is the sequence of the tenant's last event here. The condition `given` says of each draft `d` whether
 * its change was made. A second event of the same (object, generation, transition) violates event_keys and undoes the
 * whole statement; the row lock that the change holds prevents that. A draft without a transition has no key.
 *
 * What occurred before the database was restored may have been announced before, in what was lost: its event says so
 * (§6.6.7).
 */
export function insertEvents(drafts: readonly EventDraft[], given: Sql = sql`true`): Sql {
  const { after, counts, sequence, restoredAt, from } = numberingOf(drafts);
  const statement = sql`
    drafts as materialized (
      select d.*, ${after} as after from ${draftRows(drafts.map(rowOf))} where ${given}),
    -- Row after row by the key's index: an update with a join would read all counters while the table is small.
    numbered as (
      insert into event_counters as c (business_id, environment, last_sequence) ${counts}
      on conflict (business_id, environment) do update set last_sequence = c.last_sequence + excluded.last_sequence
      returning business_id, environment, last_sequence as last, restored_at),
    ${drafts.some(isKeyed) ? KEYED : sql``}
    recorded_events as (
      insert into events (business_id, environment, id, sequence, type, intent_id, payment_address, occurred_at, created_at, recorded_at, body)
      select d.business_id, d.environment, d.id, ${sequence}, d.type, d.intent_id, d.payment_address,
        d.occurred_at, d.created_at, now(), d.head || (${sequence})::text ||
          case when d.occurred_at < ${restoredAt} then '","restored":true' || substr(d.tail, 2) else d.tail end
      from ${from}
      returning business_id, environment, id, sequence, type, intent_id, recorded_at)`;
  const businessIds = [...new Set(drafts.map((draft) => draft.tenant.businessId))];
  return announcing(statement, () => businessIds);
}

/**
 * The key under which event_keys holds an event of a business: 144 bits of SHA-256, since more would take more room and
 * these take no more than 128 (decision 29). An object's id holds no blank, so no two events are hashed from one text.
 */
export const eventKey = (objectId: Sql, generation: Sql, transition: Sql): Sql =>
  sql`substr(sha256(convert_to(${objectId} || ' ' || ${generation} || ' ' || ${transition}, 'UTF8')), 1, 18)`;

const isKeyed = ({ pendingEvent }: EventDraft): boolean => pendingEvent.transition !== null;
const KEYED = sql`
    keyed as (
      insert into event_keys (business_id, key)
      select d.business_id, ${eventKey(sql`d.object_id`, sql`d.generation`, sql`d.transition`)} from drafts d
      where d.transition is not null),`;

/** How a statement reads the last sequences of tenants before its own events, and holds them: see {@link lockSequences}. */
interface LockedSequences {
  /** A query, to stand as the CTE `locked` before whatever is to be in the order of the sequences. */
  readonly locked: Sql;
  /** The last sequence of the tenant of a row `a`. */
  readonly last: Sql;
}

/**
 * Locks the counters of the tenants of `rows`, a FROM of rows with tenant, to the commit. What a statement writes after
 * that is in the order of the events it records: the next statement reads the counter with these events counted.
 */
export function lockSequences(tenants: readonly Tenant[], rows: Sql): LockedSequences {
  const locked = sql`
    select c.* from (
      -- Always in the same order, so that no two statements wait for each other's counters.
      select distinct business_id, environment from ${rows} order by business_id, environment) t
    cross join lateral (
      select c.business_id, c.environment, c.last_sequence from event_counters c
      where c.business_id = t.business_id and c.environment = t.environment for update) c`;
  return { locked, last: isShared(tenants) ? LAST_OF_SEVERAL : LAST_OF_ONE };
}

// A tenant's first event makes its counter.
const LAST_OF_ONE = sql`coalesce((select last_sequence from locked), 0)`;
const LAST_OF_SEVERAL = sql`coalesce((
  (select jsonb_object_agg(l.business_id || ' ' || l.environment, l.last_sequence) from locked l)
  ->> (a.business_id || ' ' || a.environment))::bigint, 0)`;

const isShared = ([first, ...others]: readonly Tenant[]): boolean =>
  others.some(({ businessId, environment }) => businessId !== first!.businessId || environment !== first!.environment);

/** How the drafts of a statement get their sequences. */
interface Numbering {
  /** Column of a draft: how many drafts of the same tenant come after it here. */
  readonly after: Sql;
  /** Query: how many drafts each tenant has. */
  readonly counts: Sql;
  /** An event's sequence, as an expression over `from`. */
  readonly sequence: Sql;
  /** When the database of the event's tenant was last restored, as an expression over `from`; null: never. */
  readonly restoredAt: Sql;
  readonly from: Sql;
}

function numberingOf(drafts: readonly EventDraft[]): Numbering {
  if (drafts.length < 2) return ALONE;
  return isShared(drafts.map(({ tenant }) => tenant)) ? OF_SEVERAL_TENANTS : OF_ONE_TENANT;
}

const OF_ONE_TENANT: Numbering = {
  after: sql`row_number() over (partition by d.business_id, d.environment order by d.ordinal desc) - 1`,
  // Always in the same order, so that no two statements wait for each other's counters.
  counts: sql`
    select business_id, environment, count(*) from drafts group by business_id, environment order by business_id, environment`,
  sequence: sql`n.last - d.after`,
  restoredAt: sql`n.restored_at`,
  from: sql`drafts d, numbered n`,
};

// Most statements record one event: there is nothing to sort and nothing to count.
const ALONE: Numbering = {
  ...OF_ONE_TENANT,
  after: sql`0`,
  counts: sql`select business_id, environment, 1 from drafts`,
};

const OF_SEVERAL_TENANTS: Numbering = {
  ...OF_ONE_TENANT,
  // Looked up in a map made once. The planner expects one row, so a join would compare every pair.
  sequence: sql`(
    (select jsonb_object_agg(n.business_id || ' ' || n.environment, n.last) from numbered n)
    ->> (d.business_id || ' ' || d.environment))::bigint - d.after`,
  restoredAt: sql`(
    (select jsonb_object_agg(n.business_id || ' ' || n.environment, n.restored_at) filter (where n.restored_at is not null)
      from numbered n)
    ->> (d.business_id || ' ' || d.environment))::timestamptz`,
  from: sql`drafts d`,
};

const draftRows = relation("d", {
  ordinal: "integer",
  business_id: "text",
  environment: "text",
  id: "text",
  type: "text",
  object_id: "text",
  generation: "integer",
  transition: "text",
  intent_id: "text",
  payment_address: "text",
  occurred_at: "timestamptz",
  created_at: "timestamptz",
  head: "text",
  tail: "text",
});

const rowOf = ({ tenant, id, pendingEvent, createdAt, head, tail }: EventDraft, ordinal: number) => ({
  ordinal,
  business_id: tenant.businessId,
  environment: tenant.environment,
  id,
  type: pendingEvent.type,
  object_id: pendingEvent.objectId,
  generation: pendingEvent.generation,
  transition: pendingEvent.transition,
  intent_id: pendingEvent.intentId,
  payment_address: pendingEvent.paymentAddress,
  occurred_at: pendingEvent.occurredAt,
  created_at: createdAt,
  head,
  tail,
});

/** Makes the counters of new businesses, the `id` of each row of the relation: a statement, or a CTE, of what adds them. */
export const beginSequences = (businesses: Sql): Sql => sql`
  insert into event_counters (business_id, environment)
  select b.id, e.environment from ${businesses} b, unnest(${[...ENVIRONMENTS]}::text[]) as e (environment) returning business_id`;

/** Whether an event by this {@link eventKey} of the business is recorded; true or null. A value and no join: each key is looked up by itself. */
export const isRecorded = (
  businessId: Sql,
  key: Sql,
): Sql => sql`(select true from event_keys k where k.business_id = ${businessId}
          and k.key = ${key})`;
