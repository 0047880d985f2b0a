import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../server/store/sql.ts";
import { startApiProcess } from "../harness/apiProcess.ts";
import { pay } from "../harness/chain.ts";
import { type Answer, exchange } from "../harness/http.ts";
import { type Merchant, merchantOf, newMerchant, someTerms } from "../harness/merchant.ts";
import { listProcessesOf } from "../harness/processes.ts";
import { foldersOf, type Service, spawnService, startService } from "../harness/service.ts";
import { awaitPaid, checkSequences } from "../harness/story.ts";
import { eventually } from "../harness/wait.ts";

// With the PostgreSQL and the chain of its own DATA_DIR, as `API_PROCESSES=2 npm start` runs.
let service: Service;
let shop: Merchant;
let folders: readonly string[];
before(async () => {
  service = await startService({ embedded: true, env: { API_PROCESSES: "2" } });
  folders = await foldersOf(service.dataDir);
  shop = await newMerchant(service);
});
after(() => service?.remove());

const apiProcesses = () => listProcessesOf(folders).filter(({ command }) => command.includes("server/apiProcess.ts"));
/** On a connection of its own: one kept open would lead to the same process again. */
const read = (path: string) =>
  exchange("GET", `http://127.0.0.1:${service.port}${path}`, { headers: [["Connection", "close"]] });

/** The values of a figure by process. */
async function figure(name: string): Promise<Record<string, number>> {
  const { status, text } = await read("/metrics");
  assert.equal(status, 200, text);
  const found = text.matchAll(new RegExp(`^${name}\\{process="([^"]+)"\\} ([\\d.e+]+)$`, "gm"));
  return Object.fromEntries([...found].map(([, process, value]) => [process, Number(value)]));
}

/** A create that is repeated with its key until it has an answer for good, as every client has to. */
async function createForGood(key: string): Promise<Answer> {
  const terms = someTerms(service, { merchantReference: key });
  for (;;) {
    const answer = await shop.call("POST", "/payment-intents", terms, [["Idempotency-Key", key]]).catch(() => null);
    if (answer !== null && answer.status !== 503 && answer.json?.error?.code !== "idempotency_in_progress")
      return answer;
    await sleep(20);
  }
}

test("API_PROCESSES two processes answer behind one port, and /metrics tells them apart whichever is asked", async () => {
  assert.equal(apiProcesses().length, 2);
  const before = await figure("holdfast_requests_total");
  assert.deepEqual(Object.keys(before).sort(), ["api-1", "api-2", "main"]);
  const ids = await Promise.all(Array.from({ length: 40 }, async () => (await shop.create()).id));
  // Whoever made it, either reads it.
  for (const id of ids.slice(0, 6)) assert.equal((await shop.intent(id)).id, id);
  const after = await figure("holdfast_requests_total");
  // In turn, but for one that is busy: the other takes what comes meanwhile.
  for (const name of ["api-1", "api-2"])
    assert.ok(after[name]! - before[name]! >= 5, `${name}: ${before[name]} to ${after[name]}`);
  assert.equal(after.main, 0);
  assert.deepEqual(Object.keys(await figure("process_resident_memory_bytes")).sort(), ["api-1", "api-2", "main"]);
  const { text } = await read("/metrics");
  assert.equal(text.match(/^holdfast_inbox_unread\{environment="test"\} \d+$/gm)?.length, 1, "of the service, once");
  for (const path of ["/healthz", "/readyz", "/healthz", "/readyz"])
    assert.deepEqual((await read(path)).json, { status: "ok" });
  const page = await read(`/pay/i/${ids[0]}`);
  assert.match(page.text, /npm run/, "an API process knows that the chain is the local one");
});

test("API_PROCESSES a payment made with either is found, bound and told of", async () => {
  const intent = await shop.create();
  await pay(service, intent);
  assert.equal((await awaitPaid(shop, intent.id)).status, "paid");
});

test("API_PROCESSES one is killed under load: nothing is lost, nothing is done twice, another takes its place", async () => {
  const before = apiProcesses();
  const victim = before[0]!.pid;
  const waits: number[] = [];
  const keys = Array.from({ length: 300 }, (_, index) => `kill-${index}`);
  const running = keys.map(async (key, index) => {
    await sleep(index * 3);
    const startedAt = performance.now();
    const answer = await createForGood(key);
    waits.push(performance.now() - startedAt);
    return answer;
  });
  await sleep(300);
  process.kill(victim, "SIGKILL");
  const answers = await Promise.all(running);
  for (const answer of answers) assert.equal(answer.status, 201, answer.text);
  assert.equal(new Set(answers.map(({ json }) => json.id)).size, keys.length);
  const made = (await shop.walk("/payment-intents", 100)).filter((one) => one.merchantReference.startsWith("kill-"));
  assert.equal(made.length, keys.length, "one intent a key");
  await checkSequences(service, shop);
  assert.ok(Math.max(...waits) < 5_000, `a key was out of use for ${Math.round(Math.max(...waits))} ms`);

  await eventually("another took its place", () => apiProcesses().length === 2);
  assert.ok(!apiProcesses().some(({ pid }) => pid === victim));
  await eventually("the log says so", () => /API process api-\d answers again/.test(service.errors()));
  assert.match(service.errors(), /API process api-\d ended by itself \(SIGKILL\); the next is started in 100 ms/);
  const figures = await figure("holdfast_requests_total");
  assert.deepEqual(Object.keys(figures).sort(), ["api-1", "api-2", "main"]);
});

test("API_PROCESSES one that is frozen takes at most one connection with it, and hangs no figures", async () => {
  const [frozen] = apiProcesses();
  process.kill(frozen!.pid, "SIGSTOP");
  try {
    const url = `http://127.0.0.1:${service.port}/healthz`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        fetch(url, { headers: { Connection: "close" }, signal: AbortSignal.timeout(3_000) }).then(
          ({ status }) => status,
          () => "no answer",
        ),
      ),
    );
    assert.ok(answers.filter((status) => status === 200).length >= 19, JSON.stringify(answers));
    assert.equal(Object.keys(await figure("holdfast_requests_total")).length, 2);
  } finally {
    process.kill(frozen!.pid, "SIGCONT");
  }
  await eventually("it is back", async () => Object.keys(await figure("holdfast_requests_total")).length === 3);
});

test("API_PROCESSES another instance on the same port is refused, with one process or with several", async () => {
  for (const count of ["1", "2"]) {
    const dataDir = await mkdtemp(join(tmpdir(), "holdfast-second-"));
    const env = { API_PROCESSES: count, RPC_PORT: "60000", DATABASE_URL: "postgresql://nobody@localhost:1/none" };
    const second = spawnService({ dataDir, databaseUrl: null, env }, service.port);
    const { code } = await second.ended;
    assert.equal(code, 1);
    assert.match(second.errors(), /The port \d+ is in use by another program/);
    await rm(dataDir, { recursive: true, force: true });
  }
  assert.equal((await read("/readyz")).status, 200);
});

test("API_PROCESSES works with ROLE=api on a database and a chain of one's own, and SIGTERM of one drains it", async () => {
  const api = await startApiProcess(service, { API_PROCESSES: "2" });
  try {
    const there = merchantOf(api.service, shop.business, shop.keyId, shop.key);
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await there.create()).id));
    for (const id of ids) assert.equal((await shop.intent(id)).id, id);
  } finally {
    await api.kill("SIGTERM");
  }
});

test("API_PROCESSES SIGTERM answers what is under way, and all ends soon after", async () => {
  const seen = async () => Object.values(await figure("holdfast_requests_total")).reduce((sum, one) => sum + one, 0);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: blocked, resolve: block } = Promise.withResolvers<void>();
  const blocking = service.database.transaction(async (db) => {
    await db.rows(sql`lock table intents in exclusive mode`);
    block();
    await released;
  });
  await blocked;
  const before = await seen();
  const creates = Promise.allSettled(
    Array.from({ length: 30 }, () => shop.call("POST", "/payment-intents", someTerms(service))),
  );
  const held = shop.get("/events?after_sequence=999999&wait=20");
  let looks = 0;
  await eventually("all are under way", async () => (await seen()) - before >= 31 + ++looks);
  process.kill(service.process.pid!, "SIGTERM");
  assert.equal((await held).status, 200, "a wait for events ends early, with its answer");
  release();
  await blocking;
  const { code, ms } = await service.end("SIGTERM");
  assert.equal(code, 0, service.errors());
  assert.ok(ms < 4_000, `stopped after ${Math.round(ms)} ms`);
  for (const one of await creates)
    assert.equal(one.status === "fulfilled" && one.value.status, 201, JSON.stringify(one));
  await eventually("no process of it is left", () => listProcessesOf(folders).length === 0);
});

test("API_PROCESSES kill -9 of the main process takes the others with it, and the next start heals", async () => {
  service = await service.restart();
  shop = merchantOf(service, shop.business, shop.keyId, shop.key);
  assert.equal(apiProcesses().length, 2);
  const { id } = await shop.create();
  await service.end("SIGKILL");
  await eventually("no process of it is left", () => listProcessesOf(folders).length === 0);
  service = await service.restart();
  shop = merchantOf(service, shop.business, shop.keyId, shop.key);
  assert.equal((await shop.intent(id)).id, id);
});
