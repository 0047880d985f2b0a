import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../../tests/harness/wait.ts";
import type { Tenant } from "../../domain/callers.ts";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { draftCreation, insertIntents } from "./createIntent.ts";
import { aNewIntent } from "./fixtures.ts";
import { findReferenceHolder } from "./queries.ts";

const HOUR_MS = 3_600_000;
const SETTINGS = { checkoutUrl: "https://pay.example.com", lifetimeMs: 60_000 };
const TENANT: Tenant = { businessId: "biz_1", environment: "test" };
const OTHER: Tenant = { businessId: "biz_2", environment: "test" };

const draft = (tenant: Tenant, merchantReference: string, now = new Date()) =>
  draftCreation(SETTINGS, tenant, aNewIntent({ merchantReference }), now, null);

async function openWithBusinesses() {
  const opened = await openTestDatabase("", { connectionsMax: 6 });
  for (const { businessId } of [TENANT, OTHER])
    await opened.database.rows(
      sql`insert into businesses (id, name, created_at) values (${businessId}, 'Shop', now())`,
    );
  return opened;
}

const lockWait = (database: Database) =>
  eventually("a statement waits for a lock", () =>
    database.has(
      sql`select true from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    ),
  );

test("§4.1.5 an expired intent that another transaction closes just now is not named as the holder", async () => {
  await using opened = await openWithBusinesses();
  const { database } = opened;
  const old = draft(TENANT, "order-1", new Date(Date.now() - HOUR_MS));
  assert.equal((await insertIntents(database, [old]))[0]!.made, true);
  const found = await database.transaction(async (db) => {
    await db.rows(sql`
      update intents set status = 'expired', holds_reference = false
      where business_id = ${TENANT.businessId} and id = ${old.intent.id}`);
    const looking = findReferenceHolder(database, TENANT, "order-1");
    await lockWait(database);
    return { looking };
  });
  assert.equal((await found.looking).holder, null);
});

test("§4.1.5 several looks at once at a reference whose holder has expired name nobody", async () => {
  await using opened = await openWithBusinesses();
  const { database } = opened;
  for (let round = 0; round < 10; round++) {
    const reference = `order-${round}`;
    await insertIntents(database, [draft(TENANT, reference, new Date(Date.now() - HOUR_MS))]);
    const looks = await Promise.all([1, 2, 3, 4].map(() => findReferenceHolder(database, TENANT, reference)));
    assert.deepEqual(
      looks.map(({ holder }) => holder),
      [null, null, null, null],
    );
  }
});

test("a create does not wait for another business's intent that a transaction holds locked", async () => {
  await using opened = await openWithBusinesses();
  const { database } = opened;
  const held = draft(TENANT, "order-1");
  await insertIntents(database, [held]);
  const outcomes = await database.transaction(async (db) => {
    await db.rows(sql`
      update intents set status = 'canceled', canceled_at = now(), holds_reference = false
      where business_id = ${TENANT.businessId} and id = ${held.intent.id}`);
    // If this waited for the row, the test would not end.
    return await insertIntents(database, [draft(TENANT, "order-1"), draft(OTHER, "order-1")]);
  });
  assert.deepEqual(
    outcomes.map(({ made }) => made),
    [false, true],
  );
});
