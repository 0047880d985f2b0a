import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { listSealedSecrets, resealSecrets } from "../endpoints/keyQueries.ts";
import { insertEndpoint, markDisabled, markEnabled, removeEndpoint } from "../endpoints/queries.ts";
import { newKeyRing, openSecret } from "../sending/secret.ts";
import { claimAlone } from "../testing/claiming.ts";
import { type EventFixture, openEventFixture } from "../testing/eventFixture.ts";
import { until } from "../testing/worker.ts";
import type { Claim } from "./claims.ts";
import { setDeliveryTimeAhead } from "./clock.ts";
import { completeDeliveries } from "./completions.ts";
import { listHours, listTenantHours } from "./hours/queries.ts";
import { queueObjectResend, queueResend } from "./queueQueries.ts";
import { EVENT_PARTITION_DAYS, keepHistory } from "./upkeep.ts";

const DAY_MS = 86_400_000;
const ROOM = { slots: 1_000, failingSlots: 1_000, endpoints: [] };
const URL = "https://shop.com/hooks";
const lines: string[] = [];
const log = (line: string) => void lines.push(line);

/** Runs the work with the time of deliveries moved forward. */
async function laterBy<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  setDeliveryTimeAhead(ms);
  try {
    return await work();
  } finally {
    setDeliveryTimeAhead(0);
  }
}

const claim = (fixture: EventFixture) => claimAlone(fixture.database, ROOM);

const partitionsOf = async (fixture: EventFixture, table: string) =>
  (
    await fixture.database.rows<{ name: string }>(
      sql`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass order by 1`,
    )
  ).map((row) => row.name);

test("partitions of today and the days ahead are made, once, and old ones are dropped", async () => {
  await using fixture = await openEventFixture();
  const upkeep = { database: fixture.database, log };
  await keepHistory(upkeep, 30);
  const made = await partitionsOf(fixture, "events");
  assert.equal((await partitionsOf(fixture, "webhook_deliveries")).length, 5, "four days and the default");
  await keepHistory(upkeep, 30);
  assert.deepEqual(await partitionsOf(fixture, "events"), made);
  await fixture.recordEvents(3);
  assert.equal(
    (await fixture.database.rows(sql`select from events_default`)).length,
    0,
    "events go to their partition",
  );
  await laterBy((32 + EVENT_PARTITION_DAYS) * DAY_MS, () => keepHistory(upkeep, 30));
  const later = await partitionsOf(fixture, "events");
  assert.equal(later.includes(made[0]!), false);
  assert.equal((await fixture.database.rows(sql`select from events`)).length, 0, "past its retention");
});

test("§6.7.4 a delivery held for longer than events are kept is abandoned, uncounted; before that its event stays", async () => {
  await using fixture = await openEventFixture();
  const ring = newKeyRing();
  const upkeep = { database: fixture.database, log };
  await keepHistory(upkeep, 30);
  const issued = await insertEndpoint(fixture.database, ring, fixture.tenant, { url: URL, eventTypes: null });
  await markDisabled(fixture.database, issued!.endpoint);
  await fixture.recordEvents(2);
  await laterBy(29 * DAY_MS, () => keepHistory(upkeep, 30));
  assert.equal((await fixture.database.rows(sql`select from webhook_queue`)).length, 2);
  assert.equal((await fixture.database.rows(sql`select from events`)).length, 2);
  await laterBy(31 * DAY_MS, () => keepHistory(upkeep, 30));
  assert.equal((await fixture.database.rows(sql`select from webhook_queue`)).length, 0);
  const enabled = await markEnabled(fixture.database, issued!.endpoint);
  assert.equal(enabled!.abandonedInARow, 0);
  assert.deepEqual(
    await fixture.database.rows<{ status: string; attempts: number }>(
      sql`select status, attempts from webhook_deliveries`,
    ),
    [
      { status: "abandoned", attempts: 0 },
      { status: "abandoned", attempts: 0 },
    ],
  );
});

test("§6.7.5 of events resent in order, one that is abandoned for its age does not hold up the next", async () => {
  await using fixture = await openEventFixture();
  const { database, tenant } = fixture;
  const upkeep = { database, log };
  await keepHistory(upkeep, 30);
  const issued = await insertEndpoint(database, newKeyRing(), tenant, { url: URL, eventTypes: null });
  const ids = await fixture.recordEvents(4);
  await database.rows(sql`update events set intent_id = 'pi_test_old' where id = any(${ids}::text[])`);
  await database.rows(sql`delete from webhook_queue`);
  await database.transaction((db) => queueObjectResend(db, issued!.endpoint, "pi_test_old", "res_1"));
  await database.rows(sql`
    update webhook_queue set event_recorded_at = event_recorded_at - interval '31 days' where event_id = any(${ids.slice(0, 2)}::text[])`);
  await keepHistory(upkeep, 30);
  assert.deepEqual(
    (await claim(fixture)).map(({ event_id }) => event_id),
    [ids[2]],
  );
});

test("a delivery under way keeps its event until it has ended", async () => {
  await using fixture = await openEventFixture();
  const upkeep = { database: fixture.database, log };
  await keepHistory(upkeep, 30);
  await insertEndpoint(fixture.database, newKeyRing(), fixture.tenant, { url: URL, eventTypes: null });
  await fixture.recordEvents(1);
  const ahead = 31 * DAY_MS;
  assert.equal((await laterBy(ahead, () => claim(fixture))).length, 1);
  await laterBy(ahead, () => keepHistory(upkeep, 30));
  assert.equal((await fixture.database.rows(sql`select from events`)).length, 1);
});

test("a row written for an endpoint while it was deleted is never claimed, and is removed", async () => {
  await using fixture = await openEventFixture();
  const issued = await insertEndpoint(fixture.database, newKeyRing(), fixture.tenant, { url: URL, eventTypes: null });
  await fixture.recordEvents(1);
  const rows = await fixture.database.rows<{ event_id: string }>(sql`select event_id from webhook_queue`);
  assert.equal(await removeEndpoint(fixture.database, issued!.endpoint), true);
  assert.equal(await removeEndpoint(fixture.database, issued!.endpoint), false);
  assert.equal((await fixture.database.rows(sql`select from webhook_queue`)).length, 0, "its rows go with it");
  await fixture.database.rows(sql`
    insert into webhook_queue (business_id, endpoint_id, event_id, event_type, event_recorded_at, priority, due_at, created_at)
    values (${fixture.tenant.businessId}, ${issued!.endpoint.id}, ${rows[0]!.event_id}, 'payment_intent.created', now(), 'new', now(), now())`);
  assert.equal((await claim(fixture)).length, 0);
  await keepHistory({ database: fixture.database, log }, 30);
  assert.equal((await fixture.database.rows(sql`select from webhook_queue`)).length, 0);
});

test("secrets move to the newest key, and the versions in use are known", async () => {
  await using fixture = await openEventFixture();
  const old = newKeyRing();
  const issued = await insertEndpoint(fixture.database, old, fixture.tenant, { url: URL, eventTypes: null });
  const both = { current: 2, keys: new Map([...old.keys, [2, newKeyRing().keys.get(1)!]]) };
  const stored = async () => {
    const found: string[] = [];
    for await (const { sealed } of listSealedSecrets(fixture.database)) found.push(sealed);
    return found;
  };
  assert.match((await stored()).join(), /^v1\.[\w-]+$/);
  await resealSecrets(fixture.database, both, assert.ifError);
  const resealed = await stored();
  assert.match(resealed.join(), /^v2\.[\w-]+$/);
  await resealSecrets(fixture.database, both, assert.ifError);
  assert.deepEqual(await stored(), resealed);
  const row = await fixture.database.row<{ secret: string }>(sql`select secret from webhook_endpoints`);
  const onlyNew = { current: 2, keys: new Map([[2, both.keys.get(2)!]]) };
  assert.equal(openSecret(onlyNew, issued!.endpoint.id, row!.secret), issued!.secret);
});

const failed = (claim: Claim) => ({
  claim,
  succeeded: false,
  statusCode: 500,
  errorClass: "server_error" as const,
  error: "answered 500",
  tookMs: 1,
  agoMs: 0,
});

test("the late result of a lease that ran out changes nothing; a live lease is no other worker's", async () => {
  await using fixture = await openEventFixture();
  await insertEndpoint(fixture.database, newKeyRing(), fixture.tenant, { url: URL, eventTypes: null });
  await fixture.recordEvents(1);
  const [first] = await claim(fixture);
  assert.equal((await laterBy(20_000, () => claim(fixture))).length, 0, "leased");
  const [second] = await laterBy(31_000, () => claim(fixture));
  assert.equal(second!.event_id, first!.event_id);
  await laterBy(31_000, () => completeDeliveries(fixture.database, [failed(first!)]));
  assert.equal((await fixture.database.rows(sql`select from webhook_attempts`)).length, 0, "fenced");
  await laterBy(31_000, () =>
    completeDeliveries(fixture.database, [{ ...failed(second!), succeeded: true, error: null }]),
  );
  await laterBy(31_000, () => completeDeliveries(fixture.database, [failed(second!)]));
  const row = await fixture.database.row<{ status: string; attempts: number }>(
    sql`select status, attempts from webhook_deliveries`,
  );
  assert.deepEqual(row, { status: "succeeded", attempts: 1 });
});

test("§6.4.3 five abandoned by five workers at the same moment disable the endpoint once, and the others get one event of it", async () => {
  await using fixture = await openEventFixture();
  const ring = newKeyRing();
  const issued = await insertEndpoint(fixture.database, ring, fixture.tenant, {
    url: URL,
    eventTypes: ["payment.protected"],
  });
  const other = await insertEndpoint(fixture.database, ring, fixture.tenant, {
    url: URL,
    eventTypes: ["webhook_endpoint.disabled"],
  });
  await fixture.recordEvents(7, "payment.protected");
  await fixture.database.rows(sql`update webhook_queue set attempts = 8`);
  const room = { ...ROOM, endpoints: [{ id: issued!.endpoint.id, free: 64, failing: false }] };
  const claims = await claimAlone(fixture.database, room);
  assert.equal(claims.length, 7);
  await Promise.all(claims.map((claim) => completeDeliveries(fixture.database, [failed(claim)])));
  const row = await fixture.database.row<{ status: string; abandoned_in_a_row: number; times_failing: number }>(
    sql`select status, abandoned_in_a_row, times_failing from webhook_endpoints where id = ${issued!.endpoint.id}`,
  );
  assert.deepEqual(row, { status: "failing", abandoned_in_a_row: 7, times_failing: 1 });
  const notified = await claim(fixture);
  assert.deepEqual(
    notified.map((claim) => [claim.endpoint_id, claim.event_type]),
    [[other!.endpoint.id, "webhook_endpoint.disabled"]],
  );
  const event = JSON.parse(notified[0]!.body!);
  assert.equal(event.data.object.id, issued!.endpoint.id);
  assert.deepEqual(Object.keys(event.data.object), [
    "object",
    "id",
    "url",
    "status",
    "eventTypes",
    "environment",
    "createdAt",
    "disabledAt",
  ]);
  assert.deepEqual(event.data.previousAttributes, { status: "enabled", disabledAt: null });
});

test("§6.7.5 a resend that succeeds while the ninth attempt is being written down makes the delivery succeeded", async () => {
  await using fixture = await openEventFixture();
  const issued = await insertEndpoint(fixture.database, newKeyRing(), fixture.tenant, { url: URL, eventTypes: null });
  const [id] = await fixture.recordEvents(1);
  await fixture.database.rows(sql`update webhook_queue set attempts = 8`);
  await queueResend(fixture.database, issued!.endpoint, id!);
  const claims = await claim(fixture);
  const resent = claims.find((claim) => claim.kind === "resend")!;
  const ninth = claims.find((claim) => claim.kind === "scheduled")!;
  const { promise: resendWaits, resolve: commit } = Promise.withResolvers<void>();
  // The ninth attempt's transaction, held open until the resend's begins.
  const holding: Database["transaction"] = (work) =>
    fixture.database.transaction(async (db) => {
      const result = await work(db);
      await resendWaits;
      return result;
    });
  const abandoning = completeDeliveries({ ...fixture.database, transaction: holding }, [failed(ninth)]);
  await until("the ninth is being written down", () => isHeld(fixture));
  const resending = completeDeliveries(fixture.database, [{ ...failed(resent), succeeded: true, error: null }]);
  await until("the resend waits for it", async () => {
    const row = await fixture.database.row(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`);
    return row !== null;
  });
  commit();
  await Promise.all([abandoning, resending]);
  const row = await fixture.database.row(sql`
    select d.status, e.abandoned_in_a_row from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id`);
  assert.deepEqual(row, { status: "succeeded", abandoned_in_a_row: 0 });
});

/** True if a transaction holds the delivery's own row. */
const isHeld = async (fixture: EventFixture): Promise<boolean> =>
  (await fixture.database.rows(sql`select event_id from webhook_queue where kind = 'scheduled' for update skip locked`))
    .length === 0;

test("§13.8.6 the hours of the next day are made together, once, where something was sent, and count like any other", async () => {
  await using fixture = await openEventFixture();
  const { database, tenant } = fixture;
  const ring = newKeyRing();
  const add = async (path: string) =>
    (await insertEndpoint(database, ring, tenant, { url: `${URL}/${path}`, eventTypes: null }))!.endpoint;
  const busy = await add("busy");
  await fixture.recordEvents(1);
  const idle = await add("idle");
  const send = async () => {
    const done = { succeeded: true, statusCode: 200, error: null, errorClass: null, tookMs: 10, agoMs: 0 };
    await completeDeliveries(
      database,
      (await claim(fixture)).map((one) => ({ claim: one, ...done })),
    );
  };
  await send();
  const upkeep = { database, log };
  for (let time = 0; time < 2; time++) await keepHistory(upkeep, 30);
  const made = await database.rows<{ endpoint_id: string; hours: number; apart: number }>(sql`
    select endpoint_id, count(*)::integer as hours, extract(epoch from max(hour) - min(hour))::integer as apart
    from webhook_hours where attempts = 0 group by 1`);
  assert.deepEqual(made, [{ endpoint_id: busy.id, hours: 24, apart: 23 * 3_600 }]);
  const counted = async (endpoint = busy) =>
    (await listHours(database, endpoint, new Date(0), 100)).map(({ attempts }) => attempts);
  assert.deepEqual(await counted(), [1], "empty hours are not shown");
  await laterBy(DAY_MS, async () => {
    await fixture.recordEvents(1);
    await send();
  });
  assert.deepEqual([await counted(), await counted(idle)], [[1, 1], [1]]);
  assert.equal((await listTenantHours(database, tenant, new Date(0), 100)).at(-1)!.attempts, 2);
});
