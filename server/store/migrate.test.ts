import assert from "node:assert/strict";
import { test } from "node:test";
import type pg from "pg";
import { migrate } from "./migrate.ts";
import { MIGRATION_NAMES, openOlderDatabase } from "./testing.ts";

/** The last release that knew version 1 of the escrow program. */
const LAST_OF_V1 = "0007_corrections.sql";

const ROWS = `
  insert into businesses (id, name, created_at) values ('biz_1', 'Fernweh Coffee', now());
  insert into event_counters (business_id, environment, last_sequence) values ('biz_1', 'test', 1);
  insert into intents (business_id, id, environment, status, open, recipient, amount, asset, protection_period,
    merchant_reference, metadata, payment_id, created_at, expires_at, last_occurred_at)
  values ('biz_1', 'pi_test_1', 'test', 'requires_payment', true, 'recipient', 5, 'asset', 'oneDay', 'order-1', '{}', 1,
    now(), date_trunc('second', now()) + interval '1 day', now());
  insert into event_keys (business_id, object_id, generation, transition) values ('biz_1', 'pi_test_1', 1, 'created');
  insert into events (business_id, environment, id, sequence, type, intent_id, occurred_at, created_at, recorded_at, body)
  values ('biz_1', 'test', 'evt_test_1', 1, 'payment_intent.created', 'pi_test_1', now(), now(), now(), '{}');`;
const V1_PAYMENT = `
  insert into unmatched_payments (environment, address, reason, payment_id, status, sender, recipient, amount, asset,
    protection_period, created_at, protection_deadline, checked_at, seen_slot)
  values ('test', 'address', 'unknown_payment_id', 7, 'protected', 'sender', 'recipient', 5, 'asset', 'oneDay',
    now(), now(), now(), 1);`;

const listRan = async (client: pg.Client) =>
  (await client.query("select name, ran_at from migrations order by name")).rows as { name: string; ran_at: Date }[];
const listColumns = async (client: pg.Client) =>
  (
    await client.query(
      `select table_name, column_name, domain_name from information_schema.columns
       where table_schema = 'public' order by 1, 2`,
    )
  ).rows;

test("a database that a migration refuses is left as it was, so that the older version starts on it again", async () => {
  await using older = await openOlderDatabase(LAST_OF_V1, ROWS + V1_PAYMENT);
  const { client } = older;
  const [ran, columns] = [await listRan(client), await listColumns(client)];
  assert.equal(ran.at(-1)!.name, LAST_OF_V1);
  await assert.rejects(
    migrate(client),
    /0010_partial_outcomes\.sql failed, and nothing was changed: .*version 1 of the escrow program/,
  );
  assert.deepEqual(await listRan(client), ran);
  assert.deepEqual(await listColumns(client), columns);
});

test("all that an older database with intents and events lacks commits together, and then nothing more is due", async () => {
  await using older = await openOlderDatabase(LAST_OF_V1, ROWS);
  const { client } = older;
  const due = MIGRATION_NAMES.slice(MIGRATION_NAMES.indexOf(LAST_OF_V1) + 1);
  assert.deepEqual(await migrate(client), due);
  const ran = await listRan(client);
  assert.deepEqual(
    ran.map(({ name }) => name),
    MIGRATION_NAMES,
  );
  // Each is the time at which its transaction began.
  assert.equal(new Set(ran.slice(-due.length).map(({ ran_at }) => ran_at.getTime())).size, 1);
  for (const table of ["intents", "events"]) assert.equal((await client.query(`select from ${table}`)).rowCount, 1);
  assert.deepEqual(await migrate(client), []);
});
