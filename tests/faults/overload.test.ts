import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BATCHES_MAX, WAITING_MAX } from "../../server/domain/limits.ts";
import { type Sql, sql } from "../../server/store/sql.ts";
import { type Answer, exchange } from "../harness/http.ts";
import { assertError, type Merchant, newMerchant, someTerms } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { type OpenService, startOpenService } from "./serviceDatabase.ts";

const ITEMS_MAX = 20;
/** The calls of one kind that are in a batch or wait for one. */
const CAPACITY = BATCHES_MAX * ITEMS_MAX + WAITING_MAX;
const OVER = 150;
/** Far more than the service should hold for a waiting request, socket and all. */
const BYTES_A_REQUEST_MAX = 200_000;

let service: OpenService;
let shop: Merchant;
before(async () => {
  service = await startOpenService({ env: { BATCH_ITEMS_MAX: String(ITEMS_MAX) } });
  shop = await newMerchant(service);
});
after(() => service?.remove());

/** Holds a lock that statements of requests wait for, until it is released. */
async function blockOn(statement: Sql): Promise<() => Promise<unknown>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: blocked, resolve: block } = Promise.withResolvers<void>();
  const holding = service.database.transaction(async (db) => {
    // A busy machine may need the lock for longer than the service lets a transaction of its own stand idle.
    await db.rows(sql`set local idle_in_transaction_session_timeout = 0`);
    await db.rows(statement);
    block();
    await released;
  });
  await Promise.race([blocked, holding]);
  return () => {
    release();
    return holding;
  };
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startedAt = performance.now();
  return { result: await work(), ms: performance.now() - startedAt };
}

const residentBytes = async (): Promise<number> => {
  const { text } = await exchange("GET", `http://127.0.0.1:${service.port}/metrics`);
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]);
};

function assertRefused(answer: Answer): void {
  assertError(answer, 503, "unavailable");
  assert.match(String(answer.headers["retry-after"]), /^[1-9]\d*$/);
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

test("beyond its capacity a service refuses at once, and answers the rest when its database goes on", async () => {
  await shop.get("/me");
  const idle = await residentBytes();
  const letGo = await blockOn(sql`lock table key_rates in access exclusive mode`);
  try {
    let refused = 0;
    const filling = Promise.all(
      Array.from({ length: CAPACITY + OVER }, async (_, index) => {
        // The kernel's own queue of new connections is shorter than ours.
        await sleep(Math.floor(index / 100) * 25);
        const answer = await shop.get("/me");
        if (answer.status === 503) refused++;
        return answer;
      }),
    );
    await eventually("it is full", () => refused >= OVER);

    const probes: number[] = [];
    for (let probe = 0; probe < 20; probe++) {
      const { result, ms } = await timed(() => shop.get("/me"));
      assertRefused(result);
      probes.push(ms);
    }
    // Health needs no database, so it answers while the database does not.
    assert.equal((await exchange("GET", `http://127.0.0.1:${service.port}/healthz`)).status, 200);
    const grown = (await residentBytes()) - idle;
    await letGo();
    const answers = await filling;

    // A refusal takes milliseconds on an idle CPU. The bound is half of the time that a request waits for the database.
    assert.ok(median(probes) < 2_500, `refused after ${Math.round(median(probes))} ms`);
    assert.ok(grown < CAPACITY * BYTES_A_REQUEST_MAX, `${Math.round(grown / 1e6)} MB for ${CAPACITY} that wait`);
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer);
    // On a machine that took its time over all this, a few batches have run into the limit of a statement.
    const good = answers.filter(({ status }) => status === 200).length;
    assert.ok(good >= WAITING_MAX - 6 * BATCHES_MAX * ITEMS_MAX, `${good} good answers of ${CAPACITY}`);
    assert.equal((await shop.get("/me")).status, 200);
  } finally {
    await letGo();
  }
});

test("a statement not answered in time is 503 unavailable, alone or batched, and the service goes on", async () => {
  const letGo = await blockOn(sql`lock table intents in access exclusive mode`);
  // Each create may be a batch of its own, so there are only as many as batches may run at once: one more would wait for them
  // first.
  const created = Array.from({ length: BATCHES_MAX }, (_, index) =>
    shop.call("POST", "/payment-intents", someTerms(service), [["Idempotency-Key", `slow-${index}`]]),
  );
  const [answers, alone] = await Promise.all([
    Promise.all(created),
    timed(() => shop.cancel(`pi_test_${"0".repeat(36)}`)),
  ]).finally(letGo);
  for (const answer of [...answers, alone.result]) assertRefused(answer);
  assert.ok(alone.ms < 30_000, `answered after ${Math.round(alone.ms)} ms`);
  // The refused requests had no effect and left no kept answer: the same ones work now.
  for (let index = 0; index < BATCHES_MAX; index++) {
    const again = await shop.call("POST", "/payment-intents", someTerms(service), [
      ["Idempotency-Key", `slow-${index}`],
    ]);
    assert.equal(again.status, 201, again.text);
  }
});

test("requests that wait for a blocked database are refused in time, and /healthz answers", async () => {
  const intent = await shop.create();
  const letGo = await blockOn(sql`lock table intents in access exclusive mode`);
  try {
    const waiting = Array.from({ length: 60 }, () => timed(() => shop.cancel(intent.id)));
    assert.equal((await exchange("GET", `http://127.0.0.1:${service.port}/healthz`)).status, 200);
    const answers = await Promise.all(waiting);
    for (const { result: answer, ms: waited } of answers) {
      assertRefused(answer);
      // Refused one after the other, they would wait for minutes.
      assert.ok(waited < 30_000, `refused after ${Math.round(waited)} ms`);
    }
  } finally {
    await letGo();
  }
  assert.equal((await shop.cancel(intent.id)).status, 200);
});
