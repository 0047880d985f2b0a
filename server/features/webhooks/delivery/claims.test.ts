import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inForm } from "../../../../tests/harness/form.ts";
import { sql } from "../../../store/sql.ts";
import { insertEndpoint } from "../endpoints/queries.ts";
import { newKeyRing } from "../sending/secret.ts";
import { claimAlone } from "../testing/claiming.ts";
import { type EventFixture, openEventFixture } from "../testing/eventFixture.ts";
import type { Claim, Room } from "./claims.ts";

type TestRoom = Omit<Room, "worker">;
const ROOM: TestRoom = { slots: 1_000, failingSlots: 1_000, endpoints: [] };

async function addEndpoints(fixture: EventFixture, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const issued = await insertEndpoint(fixture.database, newKeyRing(), fixture.tenant, {
      url: "https://shop.com/",
      eventTypes: null,
    });
    ids.push(issued!.endpoint.id);
  }
  return ids;
}

const claim = (fixture: EventFixture, room: TestRoom) => claimAlone(fixture.database, room);
const roomFor = (ids: readonly string[], free: number): TestRoom => ({
  ...ROOM,
  endpoints: ids.map((id) => ({ id, free, failing: false })),
});

test("a backlog takes its room and no more, and failing endpoints share a quarter of the slots", async () => {
  await using fixture = await openEventFixture();
  const ids = await addEndpoints(fixture, 4);
  await fixture.recordEvents(50);
  const endpoints = ids.map((id, index) => ({ id, free: 20, failing: index < 2 }));
  const claims = await claim(fixture, { slots: 32, failingSlots: 8, endpoints });
  const count = (id: string) => claims.filter((one) => one.endpoint_id === id).length;
  assert.deepEqual(ids.map(count), [4, 4, 12, 12]);
  const more = await claim(fixture, { slots: 500, failingSlots: 500, endpoints });
  assert.equal(more.length, 80, "twenty for each endpoint");
});

test("with more endpoints than slots each has its turn, although as many others fail", async () => {
  await using fixture = await openEventFixture();
  const tenants = [fixture.tenant, ...(await Promise.all(Array.from({ length: 7 }, () => fixture.addTenant())))];
  const ids: string[] = [];
  for (const tenant of tenants) {
    ids.push(...(await addEndpoints({ ...fixture, tenant }, 5)));
    await fixture.recordEvents(30, "payment_intent.created", tenant);
  }
  const endpoints = ids.map((id, index) => ({ id, free: 20, failing: index % 2 === 0 }));
  const failing = new Set(endpoints.filter((one) => one.failing).map(({ id }) => id));
  const served = new Set<string>();
  // As long as this, those that are first in any fixed order still have work.
  for (let round = 0; round < 120 && !ids.every((id) => failing.has(id) || served.has(id)); round++) {
    const claims = await claim(fixture, { slots: 4, failingSlots: 1, endpoints });
    assert.equal(claims.length, 4);
    assert.ok(claims.filter((one) => failing.has(one.endpoint_id)).length <= 1);
    for (const { endpoint_id: id } of claims) served.add(id);
  }
  assert.deepEqual(
    ids.filter((id) => !failing.has(id) && !served.has(id)),
    [],
  );
});

test("new events are claimed though older ones wait for a retry or fill the backlog", async () => {
  await using fixture = await openEventFixture();
  const ids = await addEndpoints(fixture, 1);
  await fixture.recordEvents(100);
  await fixture.database.rows(
    sql`update webhook_queue set priority = 'later', attempts = 1, due_at = now() - interval '1 hour'`,
  );
  const fresh = new Set(await fixture.recordEvents(10));
  const claims = await claim(fixture, roomFor(ids, 8));
  assert.equal(claims.length, 8);
  assert.equal(claims.filter((one) => fresh.has(one.event_id)).length, 6, "three quarters are for what is new");
});

test("of a backlog that was never tried, the latest go first for three quarters of the room, the oldest for the rest", async () => {
  await using fixture = await openEventFixture();
  const ids = await addEndpoints(fixture, 1);
  const eventIds = await fixture.recordEvents(40);
  await fixture.database.rows(sql`
    update webhook_queue q set due_at = now() - make_interval(mins => 100 - t.ordinal::integer)
    from unnest(${eventIds}::text[]) with ordinality as t (event_id, ordinal) where t.event_id = q.event_id`);
  const order = (claims: readonly Claim[]) => claims.map((one) => eventIds.indexOf(one.event_id)).sort((a, b) => a - b);
  assert.deepEqual(order(await claim(fixture, roomFor(ids, 8))), [0, 1, 34, 35, 36, 37, 38, 39]);
  assert.deepEqual(order(await claim(fixture, roomFor(ids, 8))), [2, 3, 28, 29, 30, 31, 32, 33]);
});

test("whatever the room, everything due is claimed in the end, once, and never more at a time than allowed", async () => {
  await using fixture = await openEventFixture();
  const ids = await addEndpoints(fixture, 3);
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ minutes: fc.integer({ min: 0, max: 5 }), priority: fc.constantFrom("asked", "new", "later") }),
        {
          maxLength: 12,
        },
      ),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, free, slots) => {
        await fixture.database.rows(sql`delete from webhook_queue`);
        const eventIds = rows.length === 0 ? [] : await fixture.recordEvents(rows.length);
        await fixture.database.rows(sql`
          update webhook_queue q set priority = t.priority, due_at = now() - make_interval(mins => t.minutes)
          from unnest(${eventIds}::text[], ${rows.map((one) => one.minutes)}::integer[], ${rows.map((one) => one.priority)}::text[])
            as t (event_id, minutes, priority) where t.event_id = q.event_id`);
        const claimed = new Set<string>();
        for (let rounds = 0; claimed.size < eventIds.length * ids.length; rounds++) {
          const claims = await claim(fixture, { ...roomFor(ids, free), slots, failingSlots: slots });
          assert.ok(claims.length > 0 && claims.length <= slots, "a claim that finds work takes some");
          for (const id of ids) assert.ok(claims.filter((one) => one.endpoint_id === id).length <= free);
          for (const one of claims) {
            assert.equal(claimed.has(`${one.endpoint_id} ${one.event_id}`), false, "once");
            claimed.add(`${one.endpoint_id} ${one.event_id}`);
          }
          assert.ok(rounds < 100);
        }
        assert.equal((await claim(fixture, roomFor(ids, free))).length, 0);
      },
    ),
    { numRuns: inForm({ short: 5, long: 25 }) },
  );
});

test("claimers at work at the same time never take the same row", async () => {
  await using fixture = await openEventFixture();
  const ids = await addEndpoints(fixture, 2);
  await fixture.recordEvents(200);
  const taken: string[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let empty = 0; empty < 3; ) {
        const claims = await claim(fixture, roomFor(ids, 7));
        taken.push(...claims.map((one) => `${one.endpoint_id} ${one.event_id}`));
        empty = claims.length === 0 ? empty + 1 : 0;
      }
    }),
  );
  assert.equal(new Set(taken).size, taken.length);
  assert.equal(taken.length, 400);
});
