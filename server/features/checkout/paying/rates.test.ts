import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { countUse, pruneRates, type Rate } from "./rates.ts";

const DAY_SECONDS = 86_400;

test("§13.21.3 a use is counted by minute or by day of UTC, and what is refused says when the next one is allowed", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const minute: Rate = { name: "minute", subject: "10.0.0.1", max: 2 };
  const day: Rate = { name: "day", subject: "10.0.0.1", max: 4, per: "day" };
  // A minute that has just begun, so that all uses here are of one.
  const nextMinute = () =>
    database.rows(sql`update checkout_rates set minute = minute - interval '3 minutes' where ends_at is null`);
  const use = () => countUse(database, [minute], [day]);
  assert.deepEqual([await use(), await use()], [null, null]);
  const refused = await use();
  if (refused === null) return assert.equal(await use(), null, "the minute has ended meanwhile");
  assert.ok(refused >= 1 && refused <= 60, String(refused));
  await nextMinute();
  assert.deepEqual([await use(), await use()], [null, null], "what the minute refused did not count in the day");
  await nextMinute();
  const left = await database.row<{ seconds: number }>(sql`
    select extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day' - now())::float as seconds`);
  const wait = await use();
  assert.ok(wait !== null && Math.abs(wait - left!.seconds) <= 2 && wait <= DAY_SECONDS, String(wait));
  assert.equal(await countUse(database, [{ ...day, subject: "10.0.0.2" }]), null, "another network");

  await nextMinute();
  assert.equal(await pruneRates(database, 10), 1, "the count of the day stays");
  await nextMinute();
  assert.notEqual(await use(), null);
  await database.rows(sql`
    update checkout_rates set minute = minute - interval '1 day', ends_at = ends_at - interval '1 day'`);
  assert.equal(await use(), null, "the next day");
});
