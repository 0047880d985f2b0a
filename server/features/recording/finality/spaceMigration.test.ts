import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createEmptyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import pg from "pg";
import { openDatabase } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { draftEvent } from "../../events/event.ts";
import { recordEvents } from "../../events/fragments.ts";
import type { Intent } from "../../intents/intent.ts";
import { findTenantsByPaymentId } from "../decide/queries.ts";
import { hasExpiredEvent } from "./queries.ts";

const FOLDER = new URL("../../../store/migrations/", import.meta.url);
const FILES = readdirSync(FOLDER).toSorted();
const SPACE = FILES.findIndex((name) => name.endsWith("_space.sql"));
const idOf = (last: string, environment = "test") => `pi_${environment}_${last.padStart(32, "0")}`;
const TENANT = { businessId: "biz_1", environment: "test" } as const;

/** Rows as the release before wrote them: three intents, of which the first was announced expired in its second generation. */
const BEFORE = `
  insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now());
  insert into payment_ids (payment_id, business_id, environment, intent_id)
    values (1, 'biz_1', 'test', '${idOf("1")}'), (2, 'biz_1', 'test', '${idOf("2")}'), (3, 'biz_1', 'live', '${idOf("3", "live")}');
  insert into payment_addresses (address, business_id, environment, intent_id) values ('P1', 'biz_1', 'test', '${idOf("1")}');
  insert into event_keys (business_id, object_id, generation, transition)
    select 'biz_1', o, 1, 'payment_intent.created' from unnest(array['${idOf("1")}', '${idOf("2")}', '${idOf("3", "live")}']) o;
  insert into event_keys (business_id, object_id, generation, transition)
    values ('biz_1', '${idOf("1")}', 2, 'payment_intent.expired'), ('biz_1', 'P1', 1, 'payment.protected');`;

async function migrateFromBefore() {
  const made = await createEmptyDatabase();
  const client = new pg.Client(made.connection);
  await client.connect();
  for (const [index, name] of FILES.entries()) {
    if (index === SPACE) await client.query(BEFORE);
    await client.query(readFileSync(new URL(name, FOLDER), "utf8"));
  }
  await client.end();
  const database = openDatabase({
    connection: made.connection,
    connectionsMax: 2,
    statementTimeoutMs: 30_000,
    log: () => undefined,
  });
  const close = async () => {
    await database.close();
    await made.drop();
  };
  return { database, [Symbol.asyncDispose]: close };
}

const expired = (intentId: string, generation: number) =>
  draftEvent(
    TENANT,
    {
      type: "payment_intent.expired",
      objectId: intentId,
      generation,
      transition: "payment_intent.expired",
      intentId,
      paymentAddress: null,
      occurredAt: new Date(),
      object: {},
      before: null,
    },
    new Date(),
  );

test("decision 29: what was announced before keys were hashed is not announced again", async () => {
  await using migrated = await migrateFromBefore();
  const { database } = migrated;
  const record = (intentId: string, generation: number) =>
    database.rows(sql`with ${recordEvents([expired(intentId, generation)])} select sequence from recorded_events`);
  await assert.rejects(record(idOf("1"), 2), { code: "23505" });
  assert.equal((await record(idOf("1"), 1)).length, 1, "another generation");
  assert.equal((await record(idOf("2"), 2)).length, 1, "another object");
  await assert.rejects(record(idOf("2"), 2), { code: "23505" });
  const keys = await database.rows(sql`select from event_keys where business_id = 'biz_1'`);
  assert.equal(keys.length, 4, "two of before, two of now; creations have none");
});

test("an expired event of an earlier generation is found, one of a later generation or another intent is not", async () => {
  await using migrated = await migrateFromBefore();
  const find = (id: string, generation: number) =>
    hasExpiredEvent(migrated.database, { businessId: "biz_1", id } as Intent, generation);
  assert.deepEqual(
    [await find(idOf("1"), 3), await find(idOf("1"), 2), await find(idOf("1"), 1), await find(idOf("2"), 3)],
    [true, true, false, false],
  );
});

test("payment ids of before lead to their intents, of the environment asked for alone", async () => {
  await using migrated = await migrateFromBefore();
  const found = await findTenantsByPaymentId(migrated.database, "test", ["1", "2", "3", "4"]);
  assert.deepEqual(
    [...found],
    ["1", "2"].map((id) => [id, { ...TENANT, intentId: idOf(id) }]),
  );
  const live = await findTenantsByPaymentId(migrated.database, "live", ["1", "3"]);
  assert.deepEqual([...live.keys()], ["3"]);
});
