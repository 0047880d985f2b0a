import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inForm } from "../../../tests/harness/form.ts";
import { firstEventId, tagOf } from "../../domain/ids.ts";
import type { Database } from "../../store/database.ts";
import { endOfPeriod, keepPartitions } from "../../store/partitions.ts";
import { ORDERED_PLANNING } from "../../store/planSettings.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { EVENT_PARTITION_DAYS } from "../webhooks/delivery/upkeep.ts";
import { type EventRange, listEvents } from "./queries.ts";
import type { EventFilter } from "./schema.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const NOW = new Date("2026-11-20T12:00:00Z");
const BOUNDARY = endOfPeriod(NOW, EVENT_PARTITION_DAYS).getTime() - EVENT_PARTITION_DAYS * DAY_MS;
const OWNER = { businessId: "biz_a", environment: "test" } as const;
const TYPES = ["payment_intent.created", "payment_intent.paid", "payment.protected", "payment.released"] as const;

interface RecordedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: (typeof TYPES)[number];
  readonly intent: string;
  readonly payment: string | null;
  readonly recordedMs: number;
  readonly occurredMs: number;
}

// Sequences are those of the commits, each some minutes after the transaction began; the times of ids are anything.
const recordedEvents = fc.uniqueArray(fc.nat(60), { maxLength: 25 }).chain((sequences) =>
  fc
    .tuple(
      ...sequences.map(() =>
        fc.record({
          type: fc.constantFrom(...TYPES),
          intent: fc.constantFrom("pi_1", "pi_2"),
          payment: fc.constantFrom(null, "P1"),
          recordedMs: fc.oneof(
            fc.integer({ min: -2, max: 2 }).map((ms) => BOUNDARY + ms),
            fc.integer({ min: -20, max: 20 }).map((minutes) => BOUNDARY + minutes * MINUTE_MS),
            fc.integer({ min: -35, max: 60 }).map((days) => NOW.getTime() + days * DAY_MS),
          ),
          openMinutes: fc.constantFrom(0, 0, 1, 9),
          lateMinutes: fc.constantFrom(0, 1, 2, 59, 60, 61, 10 * 1_440, -1, -2, -5, -20 * 1_440),
          idDays: fc.constantFrom(0, 0, 20, -1),
        }),
      ),
    )
    .map((drafts) => {
      const given = sequences.toSorted((a, b) => a - b);
      const committedMs = ({ recordedMs, openMinutes }: (typeof drafts)[number]) =>
        recordedMs + openMinutes * MINUTE_MS;
      return drafts
        .toSorted((a, b) => committedMs(a) - committedMs(b))
        .map(
          ({ openMinutes: _open, lateMinutes, idDays, ...one }, place): RecordedEvent => ({
            ...one,
            id: `${firstEventId(OWNER, new Date(one.recordedMs + idDays * DAY_MS))}${String(given[place]).padStart(20, "0")}`,
            sequence: given[place]!,
            occurredMs: one.recordedMs - lateMinutes * MINUTE_MS,
          }),
        );
    }),
);
const time = fc.oneof(
  fc.constant(null),
  fc.constantFrom(-61, -60, -11, -2, -1, 0, 1, 2, 11, 60).map((minutes) => new Date(BOUNDARY + minutes * MINUTE_MS)),
  fc.integer({ min: -50, max: 50 }).map((days) => new Date(NOW.getTime() + days * DAY_MS)),
);
const filter = fc.record({
  type: fc.oneof(fc.constant([]), fc.subarray([...TYPES])),
  intent: fc.constantFrom(null, null, "pi_1"),
  payment: fc.constantFrom(null, null, "P1"),
  occurredAfter: time,
  occurredBefore: time,
});
const bound = fc.option(fc.nat(60).map(String), { nil: null });
const range = fc.record({ above: bound, below: bound, upward: fc.boolean(), limit: fc.integer({ min: 1, max: 8 }) });

function expected(events: readonly RecordedEvent[], filter: EventFilter, range: EventRange): string[] {
  const all = events
    .filter(
      ({ sequence, type, intent, payment, occurredMs }) =>
        (range.above === null || sequence > Number(range.above)) &&
        (range.below === null || sequence < Number(range.below)) &&
        (filter.type.length === 0 || filter.type.includes(type)) &&
        (filter.intent === null || intent === filter.intent) &&
        (filter.payment === null || payment === filter.payment) &&
        (filter.occurredAfter === null || occurredMs > filter.occurredAfter.getTime()) &&
        (filter.occurredBefore === null || occurredMs < filter.occurredBefore.getTime()),
    )
    .map(({ sequence }) => sequence)
    .toSorted((a, b) => b - a);
  return (range.upward ? all.slice(-range.limit - 1) : all.slice(0, range.limit + 1)).map(String);
}

test("§4.10 a page of events is what filters and bounds say, however events lie in partitions, recorded in time, late or by a clock that runs ahead", async () => {
  await using opened = await openTestDatabase(ORDERED_PLANNING);
  const { database } = opened;
  for (const days of [0, 7, 14, 21, 28])
    await keepPartitions(
      database,
      [{ name: "events", days: EVENT_PARTITION_DAYS, keepFrom: null }],
      new Date(NOW.getTime() + (days - 28) * DAY_MS),
    );
  await database.rows(sql`update clocks set ahead = '20 days' where environment = 'test'`);
  await fc.assert(
    fc.asyncProperty(
      recordedEvents,
      fc.array(fc.tuple(filter, range), { minLength: 5, maxLength: 5 }),
      async (events, asked) => {
        await database.rows(sql`delete from events`);
        await database.rows(sql`
        insert into events (business_id, environment, id, sequence, type, intent_id, payment_address, occurred_at, created_at, recorded_at, body)
        select ${OWNER.businessId}, ${OWNER.environment}, e.id, e.sequence, e.type, e.intent, e.payment,
          to_timestamp(e."occurredMs" / 1000.0), to_timestamp(e."recordedMs" / 1000.0), to_timestamp(e."recordedMs" / 1000.0), '{}'
        from json_to_recordset(${JSON.stringify(events)}::json)
          as e (id text, sequence bigint, type text, intent text, payment text, "recordedMs" bigint, "occurredMs" bigint)`);
        for (const [by, within] of asked) {
          const found = await listEvents(database, OWNER, by, within);
          const sequences = found.map(({ sequence }) => sequence);
          assert.deepEqual(sequences, expected(events, by, within));
        }
      },
    ),
    { numRuns: inForm({ short: 25, long: 150 }) },
  );
});

test("§4.10 a page of a period reads no events of the other environment", async () => {
  for (const [environment, other] of [
    ["test", "live"],
    ["live", "test"],
  ] as const) {
    await using opened = await openTestDatabase(ORDERED_PLANNING);
    const { database } = opened;
    // As many of another business in the environment, so that the planner expects events of this one there, too.
    await database.rows(sql`
      insert into events (business_id, environment, id, sequence, type, occurred_at, created_at, recorded_at, body)
      select o.business, o.environment, 'evt_' || o.environment || '_' || ${tagOf(OWNER.businessId)} || lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0')
        || lpad(s::text, 20, '0'), s, 'payment.protected', t.at, t.at, t.at, '{}'
      from (values (${OWNER.businessId}, ${other}), ('biz_b', ${environment})) as o (business, environment),
        generate_series(1, 10000) as s, lateral (select ${NOW}::timestamptz + s * interval '1 minute' as at) t`);
    await database.rows(sql`analyze events`);
    const explained: string[] = [];
    const explain = async (statement: Sql) => {
      const rows = await database.rows<Record<string, string>>(sql`explain (analyze, costs off) ${statement}`);
      explained.push(...rows.flatMap((row) => Object.values(row)));
      return [];
    };
    const range = { above: null, below: null, upward: false, limit: 5 };
    const by = { type: [], intent: null, payment: null };
    const [early, late] = [60, 9_000].map((minutes) => new Date(NOW.getTime() + minutes * MINUTE_MS)) as [Date, Date];
    for (const period of [
      { occurredAfter: late, occurredBefore: null },
      { occurredAfter: null, occurredBefore: early },
    ])
      await listEvents(
        { rows: explain } as unknown as Database,
        { ...OWNER, environment },
        { ...by, ...period },
        range,
      );
    assert.ok(explained.some((line) => line.includes("InitPlan")));
    assert.deepEqual(
      explained.filter((line) => line.includes("Rows Removed by Filter")),
      [],
    );
  }
});
