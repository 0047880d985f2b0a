import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { eventually } from "../../tests/harness/wait.ts";
import { lockNumbers } from "./locks.ts";
import { keepPartitions } from "./partitions.ts";
import { sql } from "./sql.ts";
import { openTestDatabase } from "./testing.ts";

const DAY_MS = 86_400_000;
const KEPT_MS = 30 * DAY_MS;
const START = Date.parse("2026-01-01T00:00:00Z");

test("whenever partitions are kept, and of whatever length they were before, today and the next days have one", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const partitionOf = async (at: Date): Promise<string> => {
    const row = await database.row<{ name: string }>(sql`
      with made as (select ${at}::timestamptz as at)
      insert into webhook_attempts (business_id, endpoint_id, event_id, resend, number, started_at, ended_at, succeeded, recorded_at)
      select 'b', 'e', gen_random_uuid()::text, '', 1, m.at, m.at, true, m.at from made m
      returning tableoid::regclass::text as name`);
    return row!.name;
  };
  const call = fc.record({
    days: fc.constantFrom(1, 3, 7),
    laterMs: fc.oneof(fc.nat(3 * DAY_MS), fc.nat(40 * DAY_MS), fc.constant(DAY_MS)),
  });
  let now = START;
  const recorded: number[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 8 }), async (calls) => {
      for (const { days, laterMs } of calls) {
        now += laterMs;
        const keepFrom = new Date(now - KEPT_MS);
        await keepPartitions(database, [{ name: "webhook_attempts", days, keepFrom }], new Date(now));
        for (const ahead of [0, 1, 2, 3]) {
          const at = now + ahead * DAY_MS;
          assert.notEqual(await partitionOf(new Date(at)), "webhook_attempts_default");
          recorded.push(at);
        }
        const left = await database.row<{ kept: string; oldest: Date }>(sql`
          select count(*) filter (where recorded_at >= ${keepFrom}) as kept, min(recorded_at) as oldest from webhook_attempts`);
        assert.equal(Number(left!.kept), recorded.filter((at) => at >= keepFrom.getTime()).length, "nothing too early");
        assert.ok(left!.oldest.getTime() > now - KEPT_MS - 7 * DAY_MS, "no later than a partition's length");
      }
    }),
    { numRuns: 30 },
  );
});

test("of two processes that start on an empty database one creates the partitions, and the other waits and finds them", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const tables = [{ name: "webhook_attempts", days: 1, keepFrom: null }];
  const slow = await database.connect();
  // The first is slow: it holds its locks for longer than the second may wait for one of a table.
  await slow.query("select pg_advisory_lock($1::bigint)", [lockNumbers("partitions").session]);
  await slow.query("begin");
  await slow.query("lock table webhook_attempts in access exclusive mode");
  let isOver = false;
  const second = keepPartitions(database, tables, new Date(START)).finally(() => {
    isOver = true;
  });
  await eventually("the second has waited for long", async () => {
    const waiting = await database.row(sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'advisory'
        and datname = current_database() and now() - query_start > interval '1 second'`);
    return waiting !== null || isOver;
  });
  assert.equal(isOver, false);
  await slow.query("commit");
  await slow.end();
  assert.deepEqual(await second, []);
});
