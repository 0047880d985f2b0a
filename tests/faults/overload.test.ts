import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BATCHES_MAX, CONNECTIONS_MAX, WAITING_MAX, WAITING_MS_MAX } from "../../server/domain/limits.ts";
import { type Sql, sql } from "../../server/store/sql.ts";
import { databaseUrlOf, startApiProcess } from "../harness/apiProcess.ts";
import { type Answer, exchange, exchangeRaw } from "../harness/http.ts";
import { assertError, type Merchant, merchantOf, newMerchant, someTerms, untilTaken } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { type OpenService, startOpenService } from "./serviceDatabase.ts";

const ITEMS_MAX = 20;
/** The calls of one kind that are in a batch or wait for one. */
const CAPACITY = BATCHES_MAX * ITEMS_MAX + WAITING_MAX;
const OVER = 100;
/** The time until a statement of a request is given up. */
const STATEMENT_MS_MAX = 5_000;
/** Far more than the service should hold for a waiting request, socket and all. */
const BYTES_A_REQUEST_MAX = 200_000;

let service: OpenService;
let shop: Merchant;
before(async () => {
  service = await startOpenService({ env: { BATCH_ITEMS_MAX: String(ITEMS_MAX) } });
  shop = await newMerchant(service);
});
after(() => service?.remove());

const askCreate = (key: string): Promise<Answer> =>
  shop.call("POST", "/payment-intents", someTerms(service, { merchantReference: key }), [["Idempotency-Key", key]]);

/** Creates an intent, once for the key. */
const create = (key: string): Promise<Answer> => untilTaken(() => askCreate(key));

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

const residentBytes = async (): Promise<number> => {
  const { text } = await exchange("GET", `http://127.0.0.1:${service.port}/metrics`);
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]);
};

function assertRefused(answer: Answer): void {
  assertError(answer, 503, "unavailable");
  assert.match(String(answer.headers["retry-after"]), /^[1-9]\d*$/);
}

test("beyond its capacity a service refuses at once, and answers the rest when its database goes on", async () => {
  await untilTaken(() => shop.get("/me"));
  const idle = await residentBytes();
  const letGo = await blockOn(sql`lock table key_rates in access exclusive mode`);
  try {
    let [sent, refused, overtaken] = [0, 0, 0];
    const waiting = new Set<number>();
    const startedAt = performance.now();
    const filling = Promise.all(
      Array.from({ length: CAPACITY + OVER }, async (_, index) => {
        // The kernel's own queue of new connections is shorter than ours.
        await sleep(Math.floor(index / 100) * 25);
        sent++;
        waiting.add(index);
        const answer = await shop.get("/me");
        waiting.delete(index);
        if (answer.status !== 503) return answer;
        refused++;
        overtaken = Math.max(overtaken, [...waiting].filter((earlier) => earlier < index).length);
        return answer;
      }),
    );
    await eventually("all are sent", () => sent === CAPACITY + OVER);
    // Its connection is accepted after theirs.
    await exchangeRaw(service.port, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    // On a slower machine the first are refused for their time before the service is full.
    const isFilled = performance.now() - startedAt < 0.8 * WAITING_MS_MAX;
    await eventually("as many are refused as it has no room for", () => refused >= OVER);
    // Those that are refused for their time are so in their order.
    if (isFilled) assert.ok(overtaken > WAITING_MAX / 2, `refused while only ${overtaken} before it waited`);
    // Health needs no database, so it answers while the database does not.
    assert.equal((await exchange("GET", `http://127.0.0.1:${service.port}/healthz`)).status, 200);
    const grown = (await residentBytes()) - idle;
    await letGo();
    const tookMs = performance.now() - startedAt;
    const answers = await filling;

    assert.ok(grown < CAPACITY * BYTES_A_REQUEST_MAX, `${Math.round(grown / 1e6)} MB for ${CAPACITY} that wait`);
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer);
    // By then two batches have run into the limit of a statement each time it passed, and after the longest wait, all.
    const lost = tookMs < WAITING_MS_MAX / 2 ? (1 + tookMs / STATEMENT_MS_MAX) * BATCHES_MAX * ITEMS_MAX : WAITING_MAX;
    const good = answers.filter(({ status }) => status === 200).length;
    assert.ok(good >= WAITING_MAX - lost, `${good} good answers of ${CAPACITY} after ${Math.round(tookMs)} ms`);
    assert.equal((await untilTaken(() => shop.get("/me"))).status, 200);
  } finally {
    await letGo();
  }
});

test("a statement not answered in time is 503 unavailable, alone or batched, and the service goes on", async () => {
  const letGo = await blockOn(sql`lock table intents in access exclusive mode`);
  // Each create may be a batch of its own, so there are only as many as batches may run at once: one more would wait for them
  // first.
  const created = Array.from({ length: BATCHES_MAX }, (_, index) => askCreate(`slow-${index}`));
  const [answers, alone] = await Promise.all([Promise.all(created), shop.cancel(`pi_test_${"0".repeat(36)}`)]).finally(
    letGo,
  );
  for (const answer of [...answers, alone]) assertRefused(answer);
  // The refused requests had no effect and left no kept answer: the same ones work now.
  for (let index = 0; index < BATCHES_MAX; index++) assert.equal((await create(`slow-${index}`)).status, 201);
});

test("requests that wait for a blocked database are refused in time, and /healthz answers", async () => {
  const { json: intent } = await create("blocked");
  const letGo = await blockOn(sql`lock table intents in access exclusive mode`);
  try {
    const waiting = Array.from({ length: 60 }, () => shop.cancel(intent.id));
    assert.equal((await exchange("GET", `http://127.0.0.1:${service.port}/healthz`)).status, 200);
    // Refused one after the other, they would wait for minutes, and a request of this test ends after one.
    for (const answer of await Promise.all(waiting)) assertRefused(answer);
  } finally {
    await letGo();
  }
  assert.equal((await untilTaken(() => shop.cancel(intent.id))).status, 200);
});

test("transactions of one tenant, which wait for each other, leave connections for others", async () => {
  const keys = Array.from({ length: 2 * CONNECTIONS_MAX }, (_, index) => `canceled-${index}`);
  const intents = await Promise.all(keys.map(create));
  const letGo = await blockOn(sql`select from event_counters where business_id = ${shop.business} for update`);
  const countWaiting = async () => {
    const row = await service.database.row<{ waiting: number }>(sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return row!.waiting;
  };
  try {
    const canceling = Promise.all(intents.map(({ json }) => shop.cancel(json.id)));
    await eventually("some wait for the lock", async () => (await countWaiting()) > 0);
    for (let look = 0; look < 20; look++) {
      await sleep(50);
      assert.ok((await countWaiting()) <= CONNECTIONS_MAX / 2, "half of the connections are left");
    }
    await letGo();
    for (const answer of await canceling) if (answer.status !== 200) assertRefused(answer);
  } finally {
    await letGo();
  }
});

test("§4.8.10 once the database has seen the connections of a killed process end, none of its keys is in progress", async () => {
  const merchant = await newMerchant(service);
  const url = new URL(await databaseUrlOf(service));
  url.searchParams.set("application_name", "doomed");
  const doomed = await startApiProcess(service, { DATABASE_URL: url.href });
  const isConnected = () =>
    service.database.has(sql`select from pg_stat_activity where application_name = 'doomed' limit 1`);
  const bodies = Array.from({ length: 30 }, () => someTerms(service));
  const creates = ({ call }: Merchant) =>
    bodies.map((body, index) => () => call("POST", "/payment-intents", body, [["Idempotency-Key", `cut-${index}`]]));
  const elsewhere = merchantOf(doomed.service, merchant.business, merchant.keyId, merchant.key);
  const cut: Promise<Answer | null>[] = [];
  try {
    assert.ok(await isConnected());
    cut.push(...creates(elsewhere).map((send) => send().catch(() => null)));
    await Promise.race(cut);
  } finally {
    await doomed.kill("SIGKILL");
  }
  await eventually("its connections have ended", async () => !(await isConnected()));
  const taken = creates(merchant).map(async (send) => {
    const answer = await send();
    // Only an attempt that was refused for now may hold its key meanwhile.
    return answer.status === 503 ? untilTaken(send) : answer;
  });
  for (const answer of await Promise.all(taken)) assert.equal(answer.status, 201, answer.text);
  await Promise.all(cut);
  assert.equal((await merchant.walk("/payment-intents", 100)).length, bodies.length);
});
