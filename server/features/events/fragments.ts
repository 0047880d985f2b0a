import { type Sql, sql, telling } from "../../store/sql.ts";
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
  const of = <Value>(pick: (draft: EventDraft) => Value) => drafts.map(pick);
  return telling(sql`
    drafts as materialized (
      select d.*, row_number() over (partition by d.business_id, d.environment order by d.place) as nth
      from unnest(
        ${of((draft) => draft.owner.businessId)}::text[], ${of((draft) => draft.owner.environment)}::text[],
        ${of((draft) => draft.id)}::text[], ${of((draft) => draft.happening.type)}::text[],
        ${of((draft) => draft.happening.objectId)}::text[], ${of((draft) => draft.happening.generation)}::integer[],
        ${of((draft) => draft.happening.transition)}::text[], ${of((draft) => draft.happening.intentId)}::text[],
        ${of((draft) => draft.happening.paymentAddress)}::text[], ${of((draft) => draft.happening.occurredAt)}::timestamptz[],
        ${of((draft) => draft.createdAt)}::timestamptz[], ${of((draft) => draft.head)}::text[], ${of((draft) => draft.tail)}::text[]
      ) with ordinality as d (business_id, environment, id, type, object_id, generation, transition, intent_id,
        payment_address, occurred_at, created_at, head, tail, place)
      where ${given}),
    ${isShared(drafts) ? sql`owners as materialized (${OWNERS_IN_ORDER}),` : sql`owners as (${OWNERS}),`}
    numbered as (
      update event_counters c set last_sequence = c.last_sequence + o.events
      from owners o where c.business_id = o.business_id and c.environment = o.environment
      returning c.business_id, c.environment, c.last_sequence - o.events as base),
    keyed as (
      insert into event_keys (business_id, object_id, generation, transition)
      select d.business_id, d.object_id, d.generation, d.transition from drafts d),
    told as (
      insert into events (business_id, environment, id, sequence, type, intent_id, payment_address, occurred_at, created_at, recorded_at, body)
      select d.business_id, d.environment, d.id, n.base + d.nth, d.type, d.intent_id, d.payment_address,
        d.occurred_at, d.created_at, now(), d.head || (n.base + d.nth)::text || d.tail
      from drafts d join numbered n on n.business_id = d.business_id and n.environment = d.environment
      returning business_id, environment, id, sequence, type, recorded_at),
    ${enqueueDeliveries}`);
}

const isShared = (drafts: readonly EventDraft[]): boolean =>
  drafts.some(
    ({ owner }) =>
      owner.businessId !== drafts[0]!.owner.businessId || owner.environment !== drafts[0]!.owner.environment,
  );

const OWNERS = sql`select business_id, environment, count(*) as events from drafts group by business_id, environment`;

// Statements that number for several owners lock the counters in one order, lest two of them wait for each other.
const OWNERS_IN_ORDER = sql`
  select c.business_id, c.environment, o.events
  from (${OWNERS}) o join event_counters c on c.business_id = o.business_id and c.environment = o.environment
  order by c.business_id, c.environment for update of c`;
