import assert from "node:assert/strict";
import { test } from "node:test";
import { networkOf } from "../../edge/buyer/limits.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { withinClockMinute } from "./paying/testing.ts";
import { countUse, pruneRates, type Rate } from "./rates.ts";

const DAY_SECONDS = 86_400;

test("§13.21.3 a use is counted by minute or by day of UTC, and what is refused says when the next one is allowed", async () => {
  await withinClockMinute(async () => {
    await using opened = await openTestDatabase();
    const { database } = opened;
    const minute: Rate = { name: "minute", max: 2 };
    const day: Rate = { name: "day", max: 4 };
    // A minute that has just begun, so that all uses here are of one.
    const nextMinute = () =>
      database.rows(sql`update checkout_rates set minute = minute - interval '3 minutes' where ends_at is null`);
    const use = async () =>
      (await countUse(database, "10.0.0.1", [minute])) ?? countUse(database, "10.0.0.1", [day], "day");
    assert.deepEqual([await use(), await use()], [null, null]);
    const refused = await use();
    assert.ok(refused !== null && refused >= 1 && refused <= 60, String(refused));
    await nextMinute();
    assert.deepEqual([await use(), await use()], [null, null], "what the minute refused did not count in the day");
    await nextMinute();
    const secondsLeft = async () => {
      const row = await database.row<{ seconds: number }>(sql`
        select extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day' - now())::float as seconds`);
      return row!.seconds;
    };
    const before = await secondsLeft();
    const wait = await use();
    const after = await secondsLeft();
    assert.ok(wait !== null && wait >= after && wait < before + 1 && wait <= DAY_SECONDS, String(wait));
    assert.equal(await countUse(database, "10.0.0.2", [day], "day"), null, "another network");

    await nextMinute();
    assert.equal(await pruneRates(database, 10), 3, "the counts of the day stay");
    await nextMinute();
    assert.notEqual(await use(), null);
    await database.rows(sql`
      update checkout_rates set minute = minute - interval '1 day', ends_at = ends_at - interval '1 day'`);
    assert.equal(await use(), null, "the next day");
  });
});

test("§4.14.7 64 networks of one /48 take no network's share in any process, and no subject's but their own", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const rates: Rate[] = [
    { name: "all", max: 1_000 },
    { name: "of one", subject: "pi_1", max: 24 },
  ];
  // Counted as of one minute, whenever it ends.
  const use = (network: string, given = rates) => countUse(database, networkOf(network), given, "day");
  const strangers = Array.from({ length: 64 }, (_, at) => `2001:db8:5:${at.toString(16)}::1`);
  const passed = await Promise.all(
    strangers.map(async (network) => {
      let count = 0;
      for (let uses = 0; uses < 30; uses++) if ((await use(network)) === null) count++;
      return count;
    }),
  );
  const sum = passed.reduce((all, one) => all + one, 0);
  assert.ok(
    passed.every((count) => count >= 3 && count <= 24),
    passed.join(),
  );
  assert.ok(sum <= (4 + 8) * 24, `${sum} uses of one /48`);
  for (const honest of ["2001:db8:5:ff::1", "2001:db8:5:ff00::1", "2001:db8:6::1", "192.0.2.1"])
    for (let uses = 0; uses < 3; uses++) assert.equal(await use(honest), null, honest);
  assert.notEqual(await use(strangers[0]!), null);
  assert.equal(await use(strangers[0]!, [rates[0]!, { ...rates[1]!, subject: "pi_2" }]), null, "another subject");
});
