import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../tests/harness/wait.ts";
import { Leadership } from "./locks.ts";
import { sql } from "./sql.ts";
import { openTestDatabase } from "./testing.ts";

/** Retries: the server ends a connection a moment after its client has. */
const takesOver = (leadership: Leadership) => eventually("it takes over", () => leadership.isOurs());

test("one of several has the work until its connection ends, and the next that asks takes over", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const [first, second] = [new Leadership(database, "feed test"), new Leadership(database, "feed test")];
  const other = new Leadership(database, "feed live");
  assert.deepEqual(await Promise.all([first.isOurs(), first.isOurs()]), [true, true]);
  assert.equal(await second.isOurs(), false);
  assert.equal(await first.isOurs(), true, "asked again, it is still its own");
  assert.equal(await other.isOurs(), true, "another name is another lock");

  assert.deepEqual([first.isHeld, second.isHeld], [true, false]);
  await first.resign();
  assert.equal(first.isHeld, false, "to look takes nothing back");
  await takesOver(second);
  await Promise.all([second.resign(), other.resign()]);
});

test("who loses the connection loses the work, and may get it back", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const [first, second] = [new Leadership(database, "feed test"), new Leadership(database, "feed test")];
  assert.equal(await first.isOurs(), true);
  await database.rows(sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and application_name = 'holdfast session'`);
  await takesOver(second);
  await eventually("the loss is known", async () => !(await first.isOurs()));
  await second.resign();
  await takesOver(first);
  await first.resign();
});
