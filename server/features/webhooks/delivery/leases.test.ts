import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { inForm } from "../../../../tests/harness/form.ts";
import { eventually } from "../../../../tests/harness/wait.ts";
import { startReceiver } from "../../../../tests/harness/webhookReceiver.ts";
import { sql } from "../../../store/sql.ts";
import { insertEndpoint } from "../endpoints/queries.ts";
import { type KeyRing, newKeyRing } from "../sending/secret.ts";
import { leaseQueued } from "../testing/claiming.ts";
import { type EventFixture, openEventFixture } from "../testing/eventFixture.ts";
import { startTestWorker, testAuthority, until } from "../testing/worker.ts";
import { claimNewDeliveries } from "./claims.ts";
import { EndpointLease } from "./endpointLease.ts";
import { listMisplaced, removeWorker, renewWorker, storeLeases, takeQueued } from "./leaseQueries.ts";
import { STOP_MS } from "./worker.ts";

/** Events of each business at a time. */
const EVENTS = inForm({ short: 4, long: 10 });
const ALIVE_MS = 60_000;
const HOSTS = Array.from({ length: 20 }, (_, index) => `h${index}.shop-demo.com`);

/** Businesses with five endpoints each, one at each host. */
async function addEndpoints(fixture: EventFixture, ring: KeyRing = newKeyRing(), hosts: readonly string[] = HOSTS) {
  const tenants = [fixture.tenant];
  while (tenants.length < hosts.length / 5) tenants.push(await fixture.addTenant());
  for (const [index, host] of hosts.entries())
    await insertEndpoint(fixture.database, ring, tenants[index % tenants.length]!, {
      url: `https://${host}/`,
      eventTypes: null,
    });
  return tenants;
}

/** The endpoints of each worker; those without a lease under "". */
async function listLeases({ database }: EventFixture): Promise<Map<string, string[]>> {
  const rows = await database.rows<{ id: string; worker: string }>(sql`
    select e.id, coalesce(l.leased_by::text, '') as worker
    from webhook_endpoints e left join webhook_leases l on l.endpoint_id = e.id order by e.id`);
  return new Map([...Map.groupBy(rows, (row) => row.worker)].map(([worker, all]) => [worker, all.map(({ id }) => id)]));
}

const endMisplaced = async ({ database }: EventFixture, worker: string) => {
  const misplaced = await listMisplaced(database, worker);
  const leases = misplaced.map(({ businessId, id }) => new EndpointLease(businessId, id));
  await storeLeases(database, worker, leases, true);
};

test("whatever workers come, go, die and take, also at the same moment, each endpoint has one in the end", async () => {
  await using fixture = await openEventFixture();
  const { database } = fixture;
  for (const tenant of await addEndpoints(fixture)) await fixture.recordEvents(1, "payment_intent.created", tenant);
  const workers = Array.from({ length: 4 }, () => randomUUID());
  const act = fc.record({ by: fc.nat({ max: 3 }), does: fc.constantFrom("renew", "stop", "go", "die", "take", "end") });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), async (rounds) => {
      const acts = {
        renew: (worker: string) => renewWorker(database, worker, ALIVE_MS, false),
        stop: (worker: string) => renewWorker(database, worker, ALIVE_MS, true),
        go: (worker: string) => removeWorker(database, worker),
        die: (worker: string) => renewWorker(database, worker, 0, false),
        take: (worker: string) => takeQueued(database, worker),
        end: (worker: string) => endMisplaced(fixture, worker),
      };
      // The key of an endpoint makes its lease one. An act must not fail either, whatever happens beside it.
      for (const round of rounds) await Promise.all(round.map(({ by, does }) => acts[does](workers[by]!)));
      for (const does of ["renew", "end", "take"] as const)
        await Promise.all(workers.map((worker) => acts[does](worker)));
      const holders = [...(await listLeases(fixture)).keys()];
      assert.deepEqual(new Set([...workers, ...holders]), new Set(workers), "no endpoint is left over");
    }),
    { numRuns: inForm({ short: 8, long: 40 }) },
  );
});

test("a worker that comes takes its share and no other moves; the endpoints of one that dies or stops are the others'", async () => {
  await using fixture = await openEventFixture();
  const { database } = fixture;
  for (const tenant of await addEndpoints(fixture)) await fixture.recordEvents(1, "payment_intent.created", tenant);
  const [one, other] = [randomUUID(), randomUUID()];
  await leaseQueued(database, one);
  assert.equal((await listLeases(fixture)).get(one)?.length, HOSTS.length, "alone it has all");
  const { aliveSince } = await renewWorker(database, one, ALIVE_MS, false);
  assert.deepEqual(await listMisplaced(database, one), []);

  await renewWorker(database, other, ALIVE_MS, false);
  assert.equal(await takeQueued(database, other), 0, "what is leased stays");
  await endMisplaced(fixture, one);
  const kept = (await listLeases(fixture)).get(one)!;
  assert.equal(await takeQueued(database, one), 0, "it does not take back what it gave up");
  assert.equal(await takeQueued(database, other), HOSTS.length - kept.length);
  assert.ok(kept.length > 0 && kept.length < HOSTS.length, `${kept.length} of ${HOSTS.length}`);

  await database.rows(sql`update webhook_workers set alive_until = now() where id = ${one}::uuid`);
  assert.deepEqual(await renewWorker(database, other, ALIVE_MS, false).then(({ others }) => others), null);
  assert.equal(await takeQueued(database, other), kept.length, "it died");
  assert.notEqual((await renewWorker(database, one, ALIVE_MS, false)).aliveSince, aliveSince, "it learns of its death");
  await endMisplaced(fixture, other);
  await takeQueued(database, one);
  assert.deepEqual((await listLeases(fixture)).get(one), kept, "the same endpoints are its own again");

  await renewWorker(database, other, ALIVE_MS, true);
  await endMisplaced(fixture, other);
  assert.equal(await takeQueued(database, other), 0);
  assert.equal(await takeQueued(database, one), HOSTS.length - kept.length, "the other stops");
});

test("the first event of an endpoint leases it in its claim, by one worker; the next worker goes on at its limit", async () => {
  await using fixture = await openEventFixture();
  const { database, tenant } = fixture;
  const { endpoint } = (await insertEndpoint(database, newKeyRing(), tenant, {
    url: "https://shop.com/",
    eventTypes: null,
  }))!;
  const workers = [await leaseQueued(database), await leaseQueued(database)];
  const claim = (worker: string) =>
    claimNewDeliveries(database, { worker, slots: 9, failingSlots: 9, endpoints: [] }, randomUUID(), [
      tenant.businessId,
    ]);
  // Events are new for a second, which a busy machine may miss.
  const claims = await eventually("a worker claims", async () => {
    await fixture.recordEvents(20);
    const both = await Promise.all(workers.map(claim));
    return both.flat().length > 0 && both;
  });
  assert.deepEqual(claims.map(({ length }) => length).sort(), [0, 4]);
  const first = claims[0]!.length > 0 ? 0 : 1;
  const lease = new EndpointLease(endpoint.businessId, endpoint.id, 4);
  lease.concurrencyLimit = 2;
  await storeLeases(database, workers[first]!, [lease], true);
  await removeWorker(database, workers[first]!);
  const next = await eventually("the next worker claims", async () => {
    await fixture.recordEvents(20);
    const claimed = await claim(workers[1 - first]!);
    return claimed.length > 0 && claimed;
  });
  assert.deepEqual(
    next.map((one) => one.concurrency_limit),
    [2, 2],
  );
});

/** With one worker nothing moves: the long form has it too. */
for (const workers of inForm({ short: [3], long: [1, 3] }))
  test(`an endpoint never has more under way than its concurrency limit, with ${workers} worker(s) and one that stops`, async () => {
    await using fixture = await openEventFixture();
    // From 4, one more for each run of successes, as documented. The receiver ends an answer before the worker reads it.
    const limits = new Map(HOSTS.map((host) => [host, new EndpointLease("biz", host)]));
    let broken = 0;
    let most = 0;
    let stopMs = 0;
    await using receiver = await startReceiver(testAuthority().issue(["*.shop-demo.com"]), (request, response) => {
      const limit = limits.get(String(request.headers.host))!;
      limit.inFlight++;
      most = Math.max(most, limit.inFlight);
      if (limit.inFlight > limit.concurrencyLimit) broken++;
      setTimeout(() => {
        limit.ended("succeeded");
        response.end("ok");
      }, 20);
    });
    const ring = newKeyRing();
    // Few, since the handshakes of all workers and of the receiver share one process.
    const tenants = await addEndpoints(fixture, ring, HOSTS.slice(0, 10));
    const hosts = new Map(HOSTS.map((host) => [host, { address: "127.0.0.1", port: receiver.port }]));
    const running = Array.from({ length: workers }, () => startTestWorker(fixture, ring, hosts));
    try {
      let recorded = 0;
      for (let count = 0; count < 6; count++) {
        for (const tenant of tenants)
          recorded += (await fixture.recordEvents(EVENTS, "payment_intent.created", tenant)).length * 5;
        const names = tenants.map(({ businessId }) => businessId);
        for (const worker of running) worker.wake(names);
        if (count === 3 && workers > 1) {
          const stoppingAt = performance.now();
          await running.pop()!.stop();
          stopMs = performance.now() - stoppingAt;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await until("all arrive", () => receiver.received.length >= recorded);
      // A stop cuts off what takes longer than its bound, as on a machine with no time; the next worker then sends it again.
      if (stopMs < STOP_MS) assert.equal(receiver.received.length, recorded, "once");
      assert.equal(broken, 0, "never more than its limit");
      assert.ok(most > 1, `the limit was used: ${most}`);
      const leases = await listLeases(fixture);
      // An endpoint that moves to another worker has no lease until something is due again.
      leases.delete("");
      assert.ok(leases.size <= running.length, "who stopped leases nothing");
    } finally {
      await Promise.all(running.map((worker) => worker.stop()));
    }
    assert.deepEqual([...(await listLeases(fixture)).keys()], [""], "who stops ends its leases");
  });
