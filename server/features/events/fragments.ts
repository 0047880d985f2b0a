import type { Owner } from "../../domain/callers.ts";
import { type Sql, sql, telling } from "../../store/sql.ts";
import { enqueueDeliveries } from "../webhooks/fragments.ts";
import type { EventDraft } from "./event.ts";

/**
 * CTEs `numbered`, `keyed`, `told` and `enqueued` (the deliveries), to stand in the statement of the change they tell
 * of. The counter row's lock is held to the commit, so sequences are gapless and in commit order; `numbered.base` is the
 * sequence before the first. Nothing is written unless the query `given` returns a row. A second event of the same (object, generation,
 * transition) violates event_keys and undoes the whole statement: it cannot happen while the change holds its row lock.
 */
export function recordEvents(owner: Owner, drafts: readonly EventDraft[], given: Sql = sql`select`): Sql {
  const of = <Value>(pick: (draft: EventDraft) => Value) => drafts.map(pick);
  return telling(sql`
    numbered as (
      update event_counters set last_sequence = last_sequence + ${drafts.length}::bigint
      where business_id = ${owner.businessId} and environment = ${owner.environment} and exists (${given})
      returning last_sequence - ${drafts.length}::bigint as base),
    drafts as (
      select * from unnest(
        ${of((draft) => draft.id)}::text[], ${of((draft) => draft.happening.type)}::text[],
        ${of((draft) => draft.happening.objectId)}::text[], ${of((draft) => draft.happening.generation)}::integer[],
        ${of((draft) => draft.happening.transition)}::text[], ${of((draft) => draft.happening.intentId)}::text[],
        ${of((draft) => draft.happening.paymentAddress)}::text[], ${of((draft) => draft.happening.occurredAt)}::timestamptz[],
        ${of((draft) => draft.createdAt)}::timestamptz[], ${of((draft) => draft.head)}::text[], ${of((draft) => draft.tail)}::text[]
      ) with ordinality as d (id, type, object_id, generation, transition, intent_id, payment_address, occurred_at, created_at, head, tail, place)),
    keyed as (
      insert into event_keys (business_id, object_id, generation, transition)
      select ${owner.businessId}, d.object_id, d.generation, d.transition from numbered, drafts d),
    told as (
      insert into events (business_id, environment, id, sequence, type, intent_id, payment_address, occurred_at, created_at, recorded_at, body)
      select ${owner.businessId}, ${owner.environment}, d.id, n.base + d.place, d.type, d.intent_id, d.payment_address,
        d.occurred_at, d.created_at, now(), d.head || (n.base + d.place)::text || d.tail
      from numbered n, drafts d
      returning business_id, environment, id, sequence, type, recorded_at),
    ${enqueueDeliveries}`);
}
