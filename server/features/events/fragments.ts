import { relation, type Sql, sql, telling } from "../../store/sql.ts";
import { enqueueDeliveries } from "../webhooks/fragments.ts";
import type { EventDraft } from "./event.ts";

/**
 * CTEs `numbered`, `keyed`, `told` and `enqueued` (the deliveries), to stand in the statement of the change they tell
 * of. A counter row's lock is held to the commit, so an owner's sequences are gapless and in commit order;
 * `numbered.base` is the sequence before its first here. `given` decides over each draft `d` whether its change was made.
 * A second event of the same (object, generation, transition) violates event_keys and undoes the whole statement: it
 * cannot happen while the change holds its row lock.
 */
export function recordEvents(drafts: readonly EventDraft[], given: Sql = sql`true`): Sql {
  const { nth, owners, sequence, from } = numberingOf(drafts);
  const statement = sql`
    drafts as materialized (
      select d.*, ${nth} as nth from ${draftRows(drafts.map(rowOf))} where ${given}),
    owners as ${owners},
    numbered as (
      update event_counters c set last_sequence = c.last_sequence + o.events
      from owners o where c.business_id = o.business_id and c.environment = o.environment
      returning c.business_id, c.environment, c.last_sequence - o.events as base),
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
  return telling(statement, [...new Set(drafts.map((draft) => draft.owner.businessId))]);
}

/** `nth`: which of its owner's an event is here. `owners`: how many each has. `sequence`: what comes of both, over `from`. */
interface Numbering {
  readonly nth: Sql;
  readonly owners: Sql;
  readonly sequence: Sql;
  readonly from: Sql;
}

function numberingOf(drafts: readonly EventDraft[]): Numbering {
  if (drafts.length < 2) return ALONE;
  const { businessId, environment } = drafts[0]!.owner;
  const shared = drafts.some(({ owner }) => owner.businessId !== businessId || owner.environment !== environment);
  return shared ? OF_SEVERAL_OWNERS : OF_ONE_OWNER;
}

const NTH = sql`row_number() over (partition by d.business_id, d.environment order by d.place)`;
const COUNTS = sql`select business_id, environment, count(*) as events from drafts group by business_id, environment`;

const OF_ONE_OWNER: Numbering = {
  nth: NTH,
  owners: sql`(${COUNTS})`,
  sequence: sql`n.base + d.nth`,
  from: sql`drafts d, numbered n`,
};

// What most statements record: nothing to sort, and nothing to count.
const ALONE: Numbering = {
  ...OF_ONE_OWNER,
  nth: sql`1`,
  owners: sql`(select business_id, environment, 1 as events from drafts)`,
};

const OF_SEVERAL_OWNERS: Numbering = {
  nth: NTH,
  // In one order, lest two statements wait for each other's counters.
  owners: sql`materialized (
    select c.business_id, c.environment, o.events
    from (${COUNTS}) o join event_counters c on c.business_id = o.business_id and c.environment = o.environment
    order by c.business_id, c.environment for update of c)`,
  // Looked up in a map made once: a join would compare each with each, since one row is what the planner expects.
  sequence: sql`(
    (select jsonb_object_agg(n.business_id || ' ' || n.environment, n.base) from numbered n)
    ->> (d.business_id || ' ' || d.environment))::bigint + d.nth`,
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

const rowOf = ({ owner, id, happening, createdAt, head, tail }: EventDraft, place: number) => ({
  place,
  business_id: owner.businessId,
  environment: owner.environment,
  id,
  type: happening.type,
  object_id: happening.objectId,
  generation: happening.generation,
  transition: happening.transition,
  intent_id: happening.intentId,
  payment_address: happening.paymentAddress,
  occurred_at: happening.occurredAt,
  created_at: createdAt,
  head,
  tail,
});
