import assert from "node:assert/strict";
import { join } from "node:path";
import { openDatabase } from "../../server/store/database.ts";
import { PATIENT } from "../../server/store/testing.ts";
import { assertSound } from "../faults/checker.ts";
import { expectPaid } from "../faults/kill.ts";
import { awaitQuiet } from "../faults/quiet.ts";
import { Random } from "../faults/random.ts";
import { Traffic } from "../faults/traffic.ts";
import { newPayer } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import type { Wire } from "../harness/merchant.ts";
import { eventually, HUNG_MS } from "../harness/wait.ts";
import {
  actByReceipt,
  awaitDispute,
  openCase,
  PART,
  partsOf,
  restOf,
  type Scene,
  submitPayment,
} from "../realnode/acts.ts";
import { Installation } from "./installation.ts";
import { Machine } from "./machine.ts";
import { Tools } from "./tools.ts";
import { World } from "./world.ts";

export interface Trial {
  /** The folder of a release, and that of the one to upgrade to. */
  readonly release: string;
  readonly newer: string;
  /** The changelog asks for it: every old process ends before the first new one starts. */
  readonly stopsFirst: boolean;
  readonly say: (line: string) => void;
}

const BUYERS = 4;
/** Creates before, between and after the changes of a process. */
const CREATES = 20;
const SUMS = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"];
const NPM = "Read what npm said; `npm ping` says whether it reaches its registry.";
const LOGS = "Read the processes' output in `logs`, and docs/how-to/go-live.md.";
const CHANGELOG = "If the changelog asks to stop every process, add --stop-first; else read their output in `logs`.";

/** Installs a release from its files alone, lives with it, and upgrades it under traffic; throws, and says what to do, if a promise is broken. */
export async function tryRelease({ release, newer, stopsFirst, say }: Trial): Promise<void> {
  const machine = await Machine.create();
  const step = async <Value>(what: string, remedy: string, work: () => Promise<Value>): Promise<Value> => {
    const startedAt = performance.now();
    const value = await work().catch((error: Error) => {
      throw new Error(`✖ ${what}: ${error.message}\n${remedy} All is left in ${machine.folder}.`, { cause: error });
    });
    say(`✔ ${what}: ${Math.ceil((performance.now() - startedAt) / 1_000)} s`);
    return value;
  };
  await step(
    "both releases have the bytes of their checksums",
    "Write them anew, with `npm run release`.",
    async () => {
      for (const folder of [release, newer]) await machine.run(folder, SUMS);
    },
  );
  const world = await World.open(machine);
  try {
    const first = await step("the service is unpacked and installed", NPM, () =>
      Installation.of(machine, release, "first"),
    );
    const scene = await step("operator account, worker, API, doctor, a business with key and endpoint", LOGS, () =>
      world.start(first, release),
    );
    const tools = await step("SDK, command line, kit and MCP are installed, and make and find an order", NPM, () =>
      Tools.install(machine, first, release, scene),
    );
    const order = await step("it is paid, disputed, argued, decided and paid out, and its receipt verified", LOGS, () =>
      liveOnce(world, first, scene, tools),
    );
    const second = await step("the newer release is installed beside", NPM, () =>
      Installation.of(machine, newer, "second"),
    );
    const traffic = await step("worker and API are replaced, while orders are made and paid", CHANGELOG, () =>
      upgrade(world, second, scene, stopsFirst),
    );
    const seen = await step("nothing acknowledged is lost, and each event came once", LOGS, () =>
      expectWhole(world, scene, tools, traffic, order),
    );
    say(`  ${seen}`);
  } finally {
    await world.close();
  }
  await machine.remove();
}

/** The whole life of the quick start's order; returns its payment. */
async function liveOnce(world: World, installation: Installation, scene: Scene, tools: Tools): Promise<Wire> {
  const { service, shop } = scene;
  const buyer = await newPayer(service);
  await submitPayment(scene, await shop.intent(tools.order), buyer);
  const { payment } = await awaitPaid(shop, tools.order);
  await actByReceipt(scene, payment, "dispute", buyer);
  const { id } = await awaitDispute(scene, payment);
  const write = await openCase(scene, payment, buyer);
  await write("opening", { reason: "not_as_described", requestedTotal: PART, text: "The bag arrived torn." });
  const answer = await shop.call("POST", `/disputes/${id}/statements`, { text: "It left whole." });
  assert.equal(answer.status, 201, answer.text);
  await write("ask-arbiter");
  assert.equal((await shop.call("POST", `/disputes/${id}/ask-arbiter`)).status, 200);
  const keyFile = join(world.chain.walletsDir, "arbiter.json");
  await world.admin(installation, "resolve", payment.id, PART, "--key-file", keyFile);
  const ended = await eventually("both parts have left", async () => {
    const shown = await shop.payment(payment.id);
    return String(partsOf(shown)) === String([PART, restOf(PART)]) && shown;
  });
  await tools.verifyReceipt(ended);
  return ended;
}

async function upgrade(
  world: World,
  installation: Installation,
  { service, shop }: Scene,
  stopsFirst: boolean,
): Promise<Traffic> {
  const traffic = new Traffic(service, shop, {
    random: new Random(1),
    payments: Number.MAX_SAFE_INTEGER,
    buyers: BUYERS,
  });
  traffic.allow(Number.MAX_SAFE_INTEGER);
  const running = traffic.run();
  const goesOn = async () => {
    const enough = traffic.created + CREATES;
    await Promise.race([running, eventually("orders go on", () => traffic.created >= enough)]);
  };
  try {
    await goesOn();
    if (stopsFirst) await world.stopApi();
    await world.replaceWorker(installation);
    if (!stopsFirst) await goesOn();
    await world.replaceApi(installation);
    await goesOn();
    traffic.finish();
    await running;
  } finally {
    traffic.stop();
    await running.catch(() => undefined);
  }
  return traffic;
}

async function expectWhole(world: World, { service, shop }: Scene, tools: Tools, traffic: Traffic, order: Wire) {
  const { rpcUrl, programId, operator } = service;
  const database = openDatabase({
    connection: { connectionString: world.postgres.url },
    ...{ connectionsMax: 4, statementTimeoutMs: HUNG_MS, times: PATIENT, log: () => undefined },
  });
  try {
    await awaitQuiet({ database, rpcUrl, operator });
    await expectPaid(shop, traffic);
    await assertSound(database, { rpcUrl, programId, operator });
  } finally {
    await database.close();
  }
  await tools.verifyReceipt(order);
  const events = await shop.walk("/events", 100);
  const delivered = () => world.receiver.received.map(({ headers }) => String(headers["service-event-id"]));
  await expectOnce(
    "deliveries",
    delivered,
    events.map(({ id }) => id),
  );
  const paid = events.filter(({ type }) => type === "payment_intent.paid");
  await expectOnce(
    "orders that the handler calls paid",
    tools.paid,
    paid.map(({ data }) => data.object.merchantReference),
  );
  return `${traffic.created} creates, ${traffic.confirmed.length} transactions, ${events.length} events; ${traffic.retries} requests were made again`;
}

/** Each of these came, and none of them twice. */
async function expectOnce(what: string, read: () => string[], wanted: readonly string[]): Promise<void> {
  await eventually(`all ${what} came`, () => new Set(read()).isSupersetOf(new Set(wanted)));
  assert.deepEqual(read().sort(), wanted.toSorted(), what);
}
