import type { Tenant } from "../../domain/callers.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import { part } from "../../store/parts.ts";
import { announcing, relation, type Sql, sql } from "../../store/sql.ts";
import type { EventDraft } from "./event.ts";

/**
 * CTEs `drafts`, `numbered`, `keyed` and `recorded_events`, for the `recordEvents` of webhooks, which adds the
 * deliveries. After its commit, the statement announces the businesses of the events.
 *
 * The lock of a counter's row is held until the commit, so a tenant's sequences have no gaps and are in commit order;
 * `numbered.last` is the sequence of the tenant's last event here. The condition `given` says of each draft `d`
 * whether its change was made. A second event of the same (object, generation, transition) violates event_keys and
 * undoes the whole statement; the row lock that the change holds prevents that. A draft without a transition has no
 * key.
 *
 * A change that occurred before the database was restored may have been announced already, in an event that was lost:
 * its event says so (§6.6.7).
 */
export function insertEvents(drafts: readonly EventDraft[], given: Sql = sql`true`): Sql {
  const { after, counts, sequence, restoredAt, from } = numberingOf(drafts);
  const statement = sql`
    drafts as materialized (
      select d.*, ${after} as after from ${draftRows(drafts.map(rowOf))} where ${given}),
    -- The key's index finds each row: on a small table, an update with a join would read all counters.
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
 * The key under which event_keys holds an event of a business: 144 bits of SHA-256. More bits would take more space,
 * and these never collide in practice (decision 29). An object's id holds no blank, so two events are never hashed
 * from one text.
 */
export const eventKey = (objectId: Sql, generation: Sql, transition: Sql): Sql =>
  sql`substr(sha256(convert_to(${objectId} || ' ' || ${generation} || ' ' || ${transition}, 'UTF8')), 1, 18)`;

const isKeyed = ({ pendingEvent }: EventDraft): boolean => pendingEvent.transition !== null;
const KEYED = sql`
    keyed as (
      insert into event_keys (business_id, key)
      select d.business_id, ${eventKey(sql`d.object_id`, sql`d.generation`, sql`d.transition`)} from drafts d
      where d.transition is not null),`;

/**
 * The insert, for a CTE, of the keys of events that were recorded without one, where there are none yet: of each row `k`,
 * with business, object and generation.
 */
export const keepKeys = (rows: Sql, transition: string): Sql => sql`
  insert into event_keys (business_id, key)
  select k.business_id, ${eventKey(sql`k.object_id`, sql`k.generation`, sql`${transition}`)} from ${rows}
  on conflict (key) do nothing`;

/** SQL by which a statement locks the last sequences of tenants and reads them before it adds events: see {@link lockSequences}. */
interface LockedSequences {
  /** A query, for a CTE `locked` in front of the CTEs whose rows follow the order of the sequences. */
  readonly locked: Sql;
  /** The last sequence of the tenant of a row `a`. */
  readonly last: Sql;
}

/**
 * Locks the counters of the tenants of `rows`, a FROM of rows with tenant, until the commit. Rows that the statement
 * writes after this are in the order of its events: the next statement reads counters that include them.
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

// A tenant's first event creates its counter.
const LAST_OF_ONE = sql`coalesce((select last_sequence from locked), 0)`;
const LAST_OF_SEVERAL = sql`coalesce((
  (select jsonb_object_agg(l.business_id || ' ' || l.environment, l.last_sequence) from locked l)
  ->> (a.business_id || ' ' || a.environment))::bigint, 0)`;

const isShared = ([first, ...others]: readonly Tenant[]): boolean =>
  others.some(({ businessId, environment }) => businessId !== first!.businessId || environment !== first!.environment);

/** SQL that numbers the drafts of a statement. */
interface Numbering {
  /** Column of a draft: the number of later drafts of the same tenant in this statement. */
  readonly after: Sql;
  /** Query: the number of drafts per tenant. */
  readonly counts: Sql;
  /** An event's sequence, as an expression over `from`. */
  readonly sequence: Sql;
  /** The time when the database of the event's tenant was last restored, as an expression over `from`; null if it never was. */
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

// Most statements record one event, which needs no sort and no count.
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

/** Creates the counters of new businesses: each `id` of the relation, which is a statement or CTE that adds them. */
export const beginSequences = (businesses: Sql): Sql => sql`
  insert into event_counters (business_id, environment)
  select b.id, e.environment from ${businesses} b, unnest(${[...ENVIRONMENTS]}::text[]) as e (environment) returning business_id`;

/** True if the business has an event with this {@link eventKey}, else null. A scalar, not a join: each key is one index look-up. */
export const isRecorded = (
  businessId: Sql,
  key: Sql,
): Sql => sql`(select true from event_keys k where k.business_id = ${businessId}
          and k.key = ${key})`;

/** True if a payment with the number of the intent has other terms. */
export const HAS_MISMATCH = part<boolean>(
  ({ businessId, intentId }) => sql`exists (
    select from events e where e.business_id = ${businessId} and e.intent_id = ${intentId} and e.type = 'payment_intent.payment_mismatch')`,
);

/**
 * The addresses of payments that do not match an intent of the tenant, from the newest events that say so; if `isOwnWallet`,
 * those alone that pay the intent's recipient.
 */
export const mismatchedPayments = (
  { businessId, environment }: Tenant,
  eventsMax: number,
  isOwnWallet = false,
): Sql => sql`
  select m.body::json -> 'data' -> 'observed' ->> 'payment' as address from (
    select body from events
    where business_id = ${businessId} and environment = ${environment} and type = 'payment_intent.payment_mismatch'
      -- A stranger pays himself in the name of an order at no cost: the index leaves such payments out before the limit.
      and ${isOwnWallet ? sql`(body::json -> 'data' ->> 'mismatch') not like '%"recipient"%'` : sql`true`}
    order by sequence desc limit ${eventsMax}::integer) m`;

/** The refunds of a part of a payment, oldest first: what had gone back in all by then, and when. */
export const PARTIAL_REFUNDS = part<readonly { readonly total: string; readonly atMs: number }[]>(
  ({ businessId, payment }) => sql`
  (select coalesce(json_agg(json_build_object('total', e.body::json -> 'data' -> 'object' ->> 'amountRefunded',
      'atMs', extract(epoch from e.occurred_at) * 1000) order by e.sequence), '[]')
    from events e
    where e.business_id = ${businessId} and e.payment_address = ${payment} and e.type = 'payment.partially_refunded')`,
);
