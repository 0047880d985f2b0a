import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { startReceiver } from "../../../../tests/harness/webhookReceiver.ts";
import { sql } from "../../../store/sql.ts";
import { insertEndpoint } from "../endpoints/queries.ts";
import { newKeyRing } from "../sending/secret.ts";
import type { Pressure } from "../sending/send.ts";
import { type EventFixture, openEventFixture } from "../testing/eventFixture.ts";
import { HOST, startTestWorker, testAuthority, until } from "../testing/worker.ts";
import { EndpointPermits } from "./permits.ts";
import { grantPermits } from "./sharedPermits.ts";

const NOTHING_NEW = { successes: 0, failed: false, lowered: null };

const setCap = (fixture: EventFixture, cap: number) =>
  fixture.database.rows(
    sql`update webhook_permits set workers = '{}', permits = '{}', expire_at = '{}', concurrency_limit = ${cap}::integer, success_streak = 0`,
  );

async function addOne(fixture: EventFixture, ring = newKeyRing()) {
  const issued = await insertEndpoint(fixture.database, ring, fixture.tenant, {
    url: `https://${HOST}/`,
    eventTypes: null,
  });
  return { businessId: issued!.endpoint.businessId, endpointId: issued!.endpoint.id };
}

test("whatever workers ask for, also at the same moment, together they get no more than the concurrency limit", async () => {
  await using fixture = await openEventFixture();
  const endpoint = await addOne(fixture);
  const ask = fc.record({ by: fc.nat({ max: 3 }), wanted: fc.nat({ max: 20 }), keep: fc.nat({ max: 20 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.array(ask, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      async (cap, rounds) => {
        await setCap(fixture, cap);
        const workers = Array.from({ length: 4 }, () => randomUUID());
        const held = [0, 0, 0, 0];
        for (const round of rounds) {
          const askers = new Map(round.map((one) => [one.by, one]));
          await Promise.all(
            [...askers.values()].map(async ({ by, wanted, keep }) => {
              // The permits in use during the request.
              const used = Math.min(held[by]!, keep);
              const [given] = await grantPermits(fixture.database, workers[by]!, [
                { ...NOTHING_NEW, ...endpoint, wanted, used },
              ]);
              assert.ok(given!.permits >= used && given!.permits <= Math.max(used, wanted));
              held[by] = given!.permits;
            }),
          );
          assert.ok(held.reduce((sum, one) => sum + one) <= cap, `${held} of ${cap}`);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("permits are shared evenly, given back by a worker that stops, and free again after a worker that died", async () => {
  await using fixture = await openEventFixture();
  const endpoint = await addOne(fixture);
  await setCap(fixture, 9);
  const [one, other] = [randomUUID(), randomUUID()];
  const ask = async (worker: string, wanted: number, used: number, heldMs?: number) =>
    (await grantPermits(fixture.database, worker, [{ ...NOTHING_NEW, ...endpoint, wanted, used }], heldMs))[0]!.permits;
  assert.equal(await ask(one, 20, 0), 9, "alone it may have all");
  assert.equal(await ask(other, 20, 0), 0);
  assert.equal(await ask(one, 20, 9), 9, "what is under way stays");
  assert.equal(await ask(one, 20, 6), 6);
  assert.equal(await ask(other, 20, 0), 3);
  assert.equal(await ask(one, 20, 2), 5, "half, rounded up");
  assert.equal(await ask(other, 20, 3), 4);
  assert.equal(await ask(one, 0, 0, 0), 0, "it stops");
  assert.equal(await ask(other, 20, 4, 50), 9);
  await new Promise((resolve) => setTimeout(resolve, 80));
  assert.equal(await ask(one, 20, 0), 9, "the other died");
});

test("workers learn the concurrency limit together, as one worker would have learned it alone", async () => {
  await using fixture = await openEventFixture();
  const endpoint = await addOne(fixture);
  const workers = [randomUUID(), randomUUID(), randomUUID()];
  const result = fc.record({
    by: fc.nat({ max: 2 }),
    ended: fc.oneof({ weight: 9, arbitrary: fc.constant("succeeded") }, fc.constantFrom("failed", "overloaded")),
    count: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(result, { maxLength: 12 }), async (results) => {
      await setCap(fixture, 4);
      const alone = new EndpointPermits("biz");
      const permitsOfWorkers = workers.map(() => new EndpointPermits("biz"));
      for (const { by, ended, count } of results) {
        const permits = permitsOfWorkers[by]!;
        const learn = async () => {
          const [given] = await grantPermits(fixture.database, workers[by]!, [{ ...permits.request(0), ...endpoint }]);
          permits.granted(given!, 1_000);
        };
        await learn();
        for (let n = 0; n < (ended === "succeeded" ? count : 1); n++)
          for (const one of [permits, alone]) {
            one.claimed();
            one.take(0);
            one.ended(ended as Pressure);
          }
        await learn();
        assert.equal(permits.concurrencyLimit, alone.concurrencyLimit);
      }
    }),
    { numRuns: 40 },
  );
});

test("a process sends on no more permits than it was given, and not when they are soon another's", () => {
  const permits = new EndpointPermits("biz");
  assert.equal(permits.take(0), false, "none was given yet");
  for (let count = 0; count < 3; count++) permits.claimed();
  assert.deepEqual(permits.request(0), { ...NOTHING_NEW, wanted: 4, used: 0 });
  permits.granted({ permits: 2, taken: 2, workers: 2, concurrencyLimit: 4, successStreak: 0 }, 1_000);
  assert.deepEqual([permits.take(1), permits.take(2), permits.take(3)], [true, true, false]);
  assert.equal(permits.free, 0);
  permits.ended("succeeded");
  assert.equal(permits.take(1_001), false, "too late");
  assert.equal(permits.take(1_000), true);
  permits.ended("succeeded");
  permits.request(1_000);
  assert.equal(permits.take(1_000), false, "not while it asks");
});

for (const workers of [1, 3])
  test(`an endpoint never has more under way than its concurrency limit, with ${workers} worker(s), and all take part`, async () => {
    await using fixture = await openEventFixture();
    // From 4, one more for each run of successes, as documented. The receiver ends an answer before the worker reads it.
    const allowed = new EndpointPermits("biz");
    let broken = 0;
    let most = 0;
    await using receiver = await startReceiver(testAuthority().issue([HOST]), (request, response) => {
      most = Math.max(most, request.inFlight);
      if (request.inFlight > allowed.concurrencyLimit) broken++;
      setTimeout(() => {
        allowed.claimed();
        allowed.ended("succeeded");
        response.end("ok");
      }, 20);
    });
    const ring = newKeyRing();
    await addOne(fixture, ring);
    const hosts = new Map([[HOST, { address: "127.0.0.1", port: receiver.port }]]);
    const running = Array.from({ length: workers }, () => startTestWorker(fixture, ring, hosts));
    try {
      const recorded = new Set<string>();
      for (let count = 0; count < 10; count++) {
        for (const id of await fixture.recordEvents(60)) recorded.add(id);
        for (const worker of running) worker.wake([fixture.tenant.businessId]);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await until("all arrive", () => receiver.received.length >= recorded.size, 60_000);
      assert.equal(receiver.received.length, recorded.size, "once");
      assert.equal(broken, 0, "never more than its cap");
      assert.ok(most > 4, `the cap grew and was used: ${most}`);
      const row = await fixture.database.row<{ workers: number }>(
        sql`select cardinality(workers) as workers from webhook_permits`,
      );
      assert.equal(row!.workers, workers);
    } finally {
      await Promise.all(running.map((worker) => worker.stop()));
    }
    const row = await fixture.database.row<{ left: string }>(
      sql`select count(*) as left from webhook_permits, unnest(expire_at) end_at where end_at > now()`,
    );
    assert.equal(row!.left, "0", "who stops gives its permits back");
  });
