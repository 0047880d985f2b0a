import { relation, type Sql, sql, telling } from "../../store/sql.ts";
import { enqueueDeliveries } from "../webhooks/fragments.ts";
import type { EventDraft } from "./event.ts";

/**
 * CTEs `numbered`, `keyed`, `told` and `enqueued` (the deliveries), to stand in the statement of the change they tell
 * of. A counter row's lock is held to the commit, so an tenant's sequences are gapless and in commit order;
 * `numbered.last` is the sequence of its last one here. `given` decides over each draft `d` whether its change was made.
 * A second event of the same (object, generation, transition) violates event_keys and undoes the whole statement: it
 * cannot happen while the change holds its row lock.
 */
export function recordEvents(drafts: readonly EventDraft[], given: Sql = sql`true`): Sql {
  const { after, counts, sequence, from } = numberingOf(drafts);
  const statement = sql`
    drafts as materialized (
      select d.*, ${after} as after from ${draftRows(drafts.map(rowOf))} where ${given}),
    -- By the key's index, row after row; an update with a join would read all counters there are, as long as they are few.
    numbered as (
      insert into event_counters as c (business_id, environment, last_sequence) ${counts}
      on conflict (business_id, environment) do update set last_sequence = c.last_sequence + excluded.last_sequence
      returning business_id, environment, last_sequence as last),
    keyed as (
      insert into event_keys (business_id, object_id, generation, transition)
      select d.business_id, d.object_id, d.generation, d.transition from drafts d),
    told as (
      insert into events (business_id, environment, id, sequence, type, intent_id, payment_address, occurred_at, created_at, recorded_at, body)
      select d.business_id, d.environment, d.id, ${sequence}, d.type, d.intent_id, d.payment_address,
        d.occurred_at, d.created_at, now(), d.head || (${sequence})::text || d.tail
      from ${from}
      returning business_id, environment, id, sequence, type, recorded_at),
    ${enqueueDeliveries}`;
  return telling(statement, [...new Set(drafts.map((draft) => draft.tenant.businessId))]);
}

/** `after`: how many of its tenant's come after an event here. `counts`: how many each has. `sequence`: what comes of both, over `from`. */
interface Numbering {
  readonly after: Sql;
  readonly counts: Sql;
  readonly sequence: Sql;
  readonly from: Sql;
}

function numberingOf(drafts: readonly EventDraft[]): Numbering {
  if (drafts.length < 2) return ALONE;
  const { businessId, environment } = drafts[0]!.tenant;
  const shared = drafts.some(({ tenant }) => tenant.businessId !== businessId || tenant.environment !== environment);
  return shared ? OF_SEVERAL_OWNERS : OF_ONE_OWNER;
}

const OF_ONE_OWNER: Numbering = {
  after: sql`row_number() over (partition by d.business_id, d.environment order by d.place desc) - 1`,
  // In one order, lest two statements wait for each other's counters.
  counts: sql`
    select business_id, environment, count(*) from drafts group by business_id, environment order by business_id, environment`,
  sequence: sql`n.last - d.after`,
  from: sql`drafts d, numbered n`,
};

// What most statements record: nothing to sort, and nothing to count.
const ALONE: Numbering = {
  ...OF_ONE_OWNER,
  after: sql`0`,
  counts: sql`select business_id, environment, 1 from drafts`,
};

const OF_SEVERAL_OWNERS: Numbering = {
  ...OF_ONE_OWNER,
  // Looked up in a map made once: a join would compare each with each, since one row is what the planner expects.
  sequence: sql`(
    (select jsonb_object_agg(n.business_id || ' ' || n.environment, n.last) from numbered n)
    ->> (d.business_id || ' ' || d.environment))::bigint - d.after`,
  from: sql`drafts d`,
};

const draftRows = relation("d", {
  place: "integer",
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

const rowOf = ({ tenant, id, pendingEvent, createdAt, head, tail }: EventDraft, place: number) => ({
  place,
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
