import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pauseSweep, pay, rpc } from "../harness/chain.ts";
import { awaitPaid, listEvents } from "../harness/expectEvents.ts";
import { exchange, exchangeRaw } from "../harness/http.ts";
import { assertError, type Merchant, merchantOf, newMerchant, someTerms, type Wire } from "../harness/merchant.ts";
import { findFreePorts } from "../harness/ports.ts";
import { listProcessesOf, type Process } from "../harness/processes.ts";
import { foldersOf, type Service, spawnService, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

// The service runs the PostgreSQL of its own DATA_DIR, as with `npm start`: these tests start and stop it.
const OTHER_DATABASE = {
  PGHOST: "db.example",
  PGPORT: "5433",
  PGUSER: "somebody",
  PGDATABASE: "other",
  PGSSLMODE: "require",
};
let service: Service;
let shop: Merchant;
let folders: readonly string[];
before(async () => {
  // The variables that libpq reads from a shell name another database than the embedded one.
  service = await startService({ embedded: true, env: OTHER_DATABASE });
  folders = await foldersOf(service.dataDir);
  shop = await newMerchant(service);
});
after(() => service?.remove());

const read = (path: string) => exchange("GET", `http://localhost:${service.port}${path}`);
const gone = () =>
  eventually("no process of it is left", () => listProcessesOf(folders).length === 0).catch((error) => {
    throw new Error(`${error.message} Left: ${JSON.stringify(listProcessesOf(folders))}`);
  });

/** Everything that a merchant can see of it, without values that change by themselves. */
async function everything(): Promise<Wire> {
  const still = (payment: Wire) => ({ ...payment, checkedAt: null });
  const intents = await shop.walk("/payment-intents", 100);
  return {
    me: (await shop.get("/me")).json,
    intents: intents.map((intent) => ({ ...intent, payment: intent.payment && still(intent.payment) })),
    payments: (await shop.walk("/payments", 100)).map(still),
    events: await Promise.all(intents.map((intent) => listEvents(shop, intent.id))),
  };
}

/** The same business and key at the service that runs now. */
function follow(next: Service): void {
  // Ports are new, so addresses of the service in its answers are too: the checkout's is set to stay.
  service = next;
  shop = merchantOf(service, shop.business, shop.keyId, shop.key);
}

const withoutPorts = (seen: Wire): Wire => JSON.parse(JSON.stringify(seen).replaceAll(/localhost:\d+/g, "localhost"));

test("ready.json says where everything is, is readable by its owner alone, and all of it answers", async () => {
  const path = join(service.dataDir, "ready.json");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(Object.keys(JSON.parse(await readFile(path, "utf8"))), [
    "apiUrl",
    "checkoutUrl",
    "controlUrl",
    "rpcUrl",
    "wsUrl",
    "programId",
    "operator",
    "asset",
    "recipient",
    "business",
    "testKey",
    "dashboardUrl",
    "dashboardLogin",
    "arbiterLogin",
  ]);
  const me = await exchange("GET", `${service.apiUrl}/me`, {
    headers: [["Authorization", `Bearer ${service.testKey}`]],
  });
  assert.equal(me.json.id, service.business);
  assert.equal(await rpc(service, "getHealth"), "ok");
  assert.equal((await exchange("GET", `${service.controlUrl}/clock`)).status, 200);
  // A browser sends this for a page whose name was pointed at this machine.
  const request = "GET /clock HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
  const rebound = await exchangeRaw(Number(new URL(service.controlUrl).port), request);
  assert.deepEqual(
    [rebound.status, rebound.json.error.message],
    [400, "Refused: the Host header is not a loopback name."],
  );
  const refused = await exchange("GET", `${service.controlUrl}/clock`, { headers: [["Origin", "null"]] });
  assert.equal(refused.status, 400, "no web page reaches the controls");
});

/** Returns once it is ready: the chain of a busy machine may answer too late at first. */
const awaitReady = () => eventually("it is ready", async () => (await read("/readyz")).status === 200);

test("healthz and readyz say that all is well", async () => {
  await awaitReady();
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await read(path);
    assert.deepEqual([answer.status, answer.json], [200, { status: "ok" }]);
  }
});

const awaitUnready = () =>
  eventually("it is not ready", async () => {
    const answer = await read("/readyz");
    return answer.status === 503 ? answer : null;
  });

test("§4.5 while the chain is stopped readyz names it, confirm says that it is away, all else goes on", async () => {
  const intent = await shop.create();
  const { signature } = await pay(service, intent);
  await awaitPaid(shop, intent.id);
  const waiting = await shop.create();
  const chain = listProcessesOf(folders).find(({ command }) => command.includes("devnet/main.ts"))!;
  process.kill(chain.pid, "SIGSTOP");
  try {
    const ready = await awaitUnready();
    assert.deepEqual([ready.json.status, Object.keys(ready.json.problems)], ["unavailable", ["test chain"]]);
    assert.equal((await read("/healthz")).status, 200, "the process is alive");

    const refused = await shop.confirm(waiting.id, "1".repeat(64));
    assertError(refused, 503, "chain_unavailable");
    assert.ok(Number(refused.headers["retry-after"]) > 0);

    assert.equal((await shop.confirm(intent.id, signature)).json.outcome, "already_recorded", "needs no chain");
    await shop.create();
    assert.equal((await shop.cancel(waiting.id)).status, 200);
    const unknownAsset = () => someTerms(service, { asset: service.wallets.arbiter.address });
    const answers = await Promise.all([1, 2, 3].map(() => shop.call("POST", "/payment-intents", unknownAsset())));
    for (const answer of answers) assertError(answer, 503, "unavailable");
  } finally {
    process.kill(chain.pid, "SIGCONT");
  }
  await awaitReady();
  const next = await shop.create();
  await pay(service, next);
  await awaitPaid(shop, next.id);
});

test("§7.2.1 while the database is stopped readyz names it and the API is unavailable; both recover", async () => {
  const isPostgres = ({ command }: Process) => /^postgres:|\/postgres |postmaster/.test(command);
  const stopped = listProcessesOf(folders).filter(isPostgres);
  assert.ok(stopped.length > 1, JSON.stringify(listProcessesOf(folders)));
  const signal = (name: "SIGSTOP" | "SIGCONT") => {
    for (const { pid } of stopped) {
      try {
        process.kill(pid, name);
      } catch {
        // A backend whose connection was given up has ended meanwhile.
      }
    }
  };
  signal("SIGSTOP");
  try {
    const ready = await awaitUnready();
    assert.ok("database" in ready.json.problems, ready.text);
    const answer = await shop.get("/me");
    assertError(answer, 503, "unavailable");
    assert.match(String(answer.headers["retry-after"]), /^[1-9]\d*$/);
  } finally {
    signal("SIGCONT");
  }
  await awaitReady();
  const next = await shop.create();
  await pay(service, next);
  await awaitPaid(shop, next.id);
});

test("a second process on the same data refuses to start, and harms nothing", async () => {
  const second = spawnService({ dataDir: service.dataDir, databaseUrl: null, env: {} }, await findFreePorts(4));
  const { code } = await second.ended;
  assert.equal(code, 1);
  assert.match(second.errors(), /Holdfast could not start: .*(already|another|uses|running)/i);
  await awaitReady();
  assert.equal((await stat(join(service.dataDir, "ready.json"))).mode & 0o777, 0o600, "the first one's file stays");
});

for (const signal of ["SIGTERM", "SIGINT"] as const)
  test(`${signal} stops everything, and the next start has everything`, async () => {
    const paid = await shop.create();
    await pay(service, paid);
    await awaitPaid(shop, paid.id);
    const before = await everything();
    const { code } = await service.end(signal);
    // It ends by itself, unclean, where its parts take longer than its limit.
    const isLate = service.errors().includes("Some parts did not stop in time");
    assert.equal(code, isLate ? 1 : 0, service.errors());
    assert.doesNotMatch(service.errors(), /Lost a connection/, "nobody needs them any more");
    await gone();
    await assert.rejects(stat(join(service.dataDir, "ready.json")), { code: "ENOENT" });

    const chainBefore = await readFile(join(service.dataDir, "demo.json"), "utf8");
    follow(await service.restart());
    assert.deepEqual(withoutPorts(await everything()), withoutPorts(before));
    assert.equal(await readFile(join(service.dataDir, "demo.json"), "utf8"), chainBefore, "the test key is the same");
    const next = await shop.create();
    await pay(service, next);
    await awaitPaid(shop, next.id);
  });

test("kill -9 leaves no process; the next start loses nothing confirmed and finds what was missed", async () => {
  const [found, missed] = [await shop.create(), await shop.create()];
  await pay(service, found);
  await awaitPaid(shop, found.id);
  const before = await everything();
  await pauseSweep(service, true);
  const { payment } = await pay(service, missed);
  await service.end("SIGKILL");
  await gone();

  follow(await service.restart());
  await pauseSweep(service, false);
  assert.equal((await awaitPaid(shop, missed.id)).payment.id, payment);
  const now = withoutPorts(await everything());
  assert.deepEqual(now.intents.slice(1), withoutPorts(before).intents.slice(1));
  await awaitReady();
});

test("when its chain dies the service stops and says why", async () => {
  const chain = listProcessesOf(folders).find(({ command }) => command.includes("devnet/main.ts"))!;
  const exited = new Promise((done) => service.process.once("exit", (code) => done(code)));
  process.kill(chain.pid, "SIGKILL");
  assert.equal(await exited, 1);
  assert.match(service.errors(), /local chain ended unexpectedly/);
  await gone();
  follow(await service.restart());
  await awaitReady();
});
