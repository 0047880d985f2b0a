import { type KeyedRequest, keyName } from "../../edge/http/idempotency.ts";
import { type Batching, createStatementBatch } from "../../store/batching.ts";
import type { Database, Db } from "../../store/database.ts";
import { lockNumbers } from "../../store/locks.ts";
import { announcing, relation, sql } from "../../store/sql.ts";
import { DatabaseUnavailable } from "../../store/unavailable.ts";
import type { EventDraft } from "../events/event.ts";
import { recordEvents } from "../events/fragments.ts";
import { DELIVERING, deliveringBusinesses } from "../webhooks/fragments.ts";
import type { Intent } from "./intent.ts";

/** A new intent with all that is written beside it. */
export interface Creation {
  readonly intent: Intent;
  readonly created: EventDraft;
  /** The answer's body, kept under the key where there is one. */
  readonly body: string;
  readonly request: KeyedRequest | null;
}

/**
 * `made`: intent, event, deliveries and kept answer are written. `running`: another request holds the key.
 * `undecided`: nothing was written, for a reason that takes a closer look (a reference in use, a key used before).
 */
export type CreationResult = "made" | "running" | "undecided";

/** Creates of the same moment share one statement. Whatever is not plain sailing comes back `undecided`, alone. */
export const createIntentWriter = (
  database: Database,
  batching: Batching,
): ((creation: Creation) => Promise<CreationResult>) =>
  createStatementBatch("create_intents", batching, {
    runAll: (creations: readonly Creation[]) => insertIntents(database, creations),
    runOne: async (creation) => {
      try {
        return (await insertIntents(database, [creation]))[0]!;
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        return "undecided";
      }
    },
  });

/**
 * One statement for all: take each key's locks without waiting, look whether key and reference are free, insert, keep
 * the answers, number, tell. A reference that another create has, of this statement or by now, is left out; should a key have
 * been used just then, the statement divides by zero and undoes itself, and its creates are tried one by one.
 */
async function insertIntents(db: Db, creations: readonly Creation[]): Promise<CreationResult[]> {
  const statement = sql`
    with asked as materialized (
      select a.*, a.key is null or (pg_try_advisory_xact_lock(a.lock) and pg_try_advisory_xact_lock_shared(a.hold)) as got,
        -- One row of an index each: "not exists" would be answered from a set of all there are.
        (select true from intents i
          where i.business_id = a.business_id and i.environment = a.environment
            and i.merchant_reference = a.merchant_reference and i.holds_reference) is null
        and (select true from idempotency_keys k
          where k.business_id = a.business_id and k.environment = a.environment and k.key = a.key) is null as free
      from ${creationRows(creations.map(rowOf))}),
    made as (
      insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period,
        merchant_reference, metadata, payment_id, created_at, expires_at, last_occurred_at)
      select business_id, id, environment, 'requires_payment', true, recipient, amount, asset, protection_period,
        merchant_reference, metadata, payment_id, created_at, expires_at, created_at
      from asked where got and free
      order by business_id, environment, merchant_reference, place
      on conflict (business_id, environment, merchant_reference) where holds_reference do nothing
      returning business_id, environment, id, payment_id),
    reachable as (
      insert into payment_ids (payment_id, business_id, environment, intent_id)
      select payment_id, business_id, environment, id from made),
    kept as (
      insert into idempotency_keys (business_id, environment, key, fingerprint, status, body, created_at)
      select business_id, environment, key, fingerprint, 201, body, now() from asked
      -- A set that is searched; a join would compare each with each, since one row is what the planner expects.
      where key is not null and id in (select id from made)
      on conflict (business_id, environment, key) do nothing
      returning business_id, environment, key),
    ${recordEvents(
      creations.map(({ created }) => created),
      sql`d.object_id in (select id from made)`,
    )}
    select a.place, a.got, a.id in (select id from made) as made, ${DELIVERING},
      -- Not a constant, or it would be computed while planning.
      case when a.key is not null and a.id in (select id from made)
          and (a.business_id, a.environment, a.key) not in (select business_id, environment, key from kept)
        then 1 / (a.place - a.place) end as undo
    from asked a`;
  const rows = await db.rows<{ place: number; got: boolean; made: boolean }>(
    announcing(statement, deliveringBusinesses),
  );
  const results: CreationResult[] = creations.map(() => "undecided");
  for (const { place, got, made } of rows) results[place] = made ? "made" : got ? "undecided" : "running";
  return results;
}

const creationRows = relation("a", {
  place: "integer",
  business_id: "text",
  environment: "text",
  id: "text",
  recipient: "text",
  amount: "numeric",
  asset: "text",
  protection_period: "text",
  merchant_reference: "text",
  metadata: "text",
  payment_id: "bigint",
  created_at: "timestamptz",
  expires_at: "timestamptz",
  key: "text",
  fingerprint: "bytea",
  body: "text",
  lock: "bigint",
  hold: "bigint",
});

function rowOf({ intent, request, body }: Creation, place: number) {
  const locks = request === null ? null : lockNumbers(keyName(request));
  return {
    place,
    business_id: intent.businessId,
    environment: intent.environment,
    id: intent.id,
    recipient: intent.recipient,
    amount: intent.amount,
    asset: intent.asset,
    protection_period: intent.protectionPeriod,
    merchant_reference: intent.merchantReference,
    metadata: intent.metadata,
    payment_id: intent.paymentId,
    created_at: intent.createdAt,
    expires_at: intent.expiresAt,
    key: request?.key,
    fingerprint: request === null ? null : `\\x${request.fingerprint.toString("hex")}`,
    body: request === null ? null : body,
    lock: locks?.transaction,
    hold: locks?.session,
  };
}
