import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { newBusinessId, newDisputeId, newIntentId, newLinkId } from "../domain/ids.ts";
import { newSecretKey } from "../domain/secretKeys.ts";
import type { Database } from "../store/database.ts";
import { sql } from "../store/sql.ts";
import { openTestDatabase } from "../store/testing.ts";
import { DatabaseUnavailableError } from "../store/unavailable.ts";
import { cellChooser } from "./cellChooser.ts";

const NOW = new Date();
const ask = (url: string, authorization?: string) =>
  ({ url, headers: { authorization } }) as unknown as IncomingMessage;

const away = (): Database => {
  const refuse = () => Promise.reject(new DatabaseUnavailableError("away", "away"));
  return { schema: "cell_1", rows: refuse, row: refuse, has: refuse } as unknown as Database;
};

/** An intent's id as the pages ask for it. */
const addIntent = (database: Database, id: string) =>
  database.rows(
    sql`insert into payment_ids (payment_id, business_id, intent_id) values (${Date.now() * 1000 + Math.floor(Math.random() * 1e3)}, 'biz_1', ${id})`,
  );

test("a key, a business and nothing at all lead to a cell without a question", async () => {
  const choose = cellChooser([away(), away(), away()]);
  const list = "/api/v1/payment-intents";
  for (const cell of [0, 1, 2]) assert.equal(choose(ask(list, `Bearer ${newSecretKey("test", cell)}`)), cell);
  assert.equal(choose(ask(list, `bearer  ${newSecretKey("live", 2)}`)), 2);
  assert.equal(choose(ask(`/staff/v1/businesses/${newBusinessId(NOW, 2)}/test/payments?limit=5`)), 2);
  assert.equal(choose(ask(`/st%61ff/v1/business%65s/${newBusinessId(NOW, 2)}`)), 2);
  // There is no such cell, no such key, and no cell in the path.
  assert.equal(choose(ask(list, `Bearer ${newSecretKey("test", 3)}`)), 0);
  for (const key of [undefined, "Bearer", "Basic abc", "Bearer sk_test_x"]) assert.equal(choose(ask(list, key)), 0);
  for (const path of ["/", "/docs", "/staff/v1/account", "/staff/v1/desk/disputes", "/pay/find", "*", ""])
    assert.equal(choose(ask(path, `Bearer ${newSecretKey("test", 1)}`)), 0, path);
});

test("an id leads to its cell if the cell has it, else to cell 0; what a cell has is asked once", async () => {
  await using zero = await openTestDatabase();
  await using one = await openTestDatabase();
  const choose = cellChooser([zero.database, one.database]);
  const [ofOne, older, unknown] = [
    newIntentId("test", NOW, 1),
    newIntentId("test", NOW, 1),
    newIntentId("test", NOW, 1),
  ];
  await addIntent(one.database, ofOne);
  // Made before there were cells: its random digits lead to cell 1.
  await addIntent(zero.database, older);
  assert.equal(await choose(ask(`/pay/i/${ofOne}`)), 1);
  assert.equal(choose(ask(`/pay/i/${ofOne}/state`)), 1, "remembered");
  assert.equal(await choose(ask(`/pay/i/${older}?x=1`)), 0);
  for (const path of [
    `/pay/i/${unknown}`,
    `/pay/l/${newLinkId("test", NOW, 1)}`,
    `/staff/v1/desk/disputes/${newDisputeId("test", NOW, 1)}/claim`,
    "/pay/p/11111111111111111111111111111111",
    `/pay/terms/${"0".repeat(64)}`,
    `/pay/uploads/${"a".repeat(43)}`,
    `/staff/v1/calendars/${"a".repeat(43)}.ics`,
  ])
    assert.equal(await choose(ask(path)), 0, path);
  assert.equal(choose(ask(`/pay/i/${newIntentId("test", NOW, 0)}`)) instanceof Promise, true);
});

test("while a cell is away, its own routes answer what may be its", async () => {
  await using zero = await openTestDatabase();
  const choose = cellChooser([zero.database, away()]);
  const [ofOne, older] = [newIntentId("test", NOW, 1), newIntentId("test", NOW, 1)];
  await addIntent(zero.database, older);
  assert.equal(await choose(ask(`/pay/i/${ofOne}`)), 1);
  assert.equal(await choose(ask("/pay/p/11111111111111111111111111111111")), 1);
  assert.equal(await choose(ask(`/pay/i/${older}`)), 0);
});
