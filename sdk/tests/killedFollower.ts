import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Random } from "../../tests/faults/random.ts";
import { type Merchant, newMerchant, someTerms } from "../../tests/harness/merchant.ts";
import { localChain, startService } from "../../tests/harness/service.ts";
import { eventually, HUNG_MS } from "../../tests/harness/wait.ts";
import { Holdfast, type NewPaymentIntent } from "../index.ts";
import { startBadNetwork } from "./badNetwork.ts";

const FOLLOWER = fileURLToPath(new URL("./follower.ts", import.meta.url));
const RATE = 1_000_000;
const ASLEEP_MS = 4_000;
/** The follower is what is tried, and each event is a create of the service. */
const WRITE_MS = 250;

/** Writes events until it is stopped, through outages; returns how many. */
function startWriter(merchant: Merchant, url: string, draftTerms: () => NewPaymentIntent): () => Promise<number> {
  // The service may be away for as long as a busy machine takes to start it.
  const limits = { timeoutMs: HUNG_MS, attemptTimeoutMs: 15_000, maxRetries: Infinity };
  const client = new Holdfast({ apiKey: merchant.key, baseUrl: url, ...limits });
  let isOver = false;
  let count = 0;
  const writing = (async () => {
    while (!isOver) {
      await client.paymentIntents.create(draftTerms());
      count++;
      await sleep(WRITE_MS);
    }
  })();
  return async () => {
    isOver = true;
    await writing;
    return count;
  };
}

async function readEvents(apiUrl: string, { key }: Merchant) {
  const answer = await fetch(`${apiUrl}/events?after_sequence=0&limit=1`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  return (await answer.json()) as { readonly lastSequence: string };
}

/** Kills a follower, stops it, cuts its network, ends the service. Throws unless it deals with every event once, in order. */
export async function runKilledFollower({ seed, kills }: { readonly seed: number; readonly kills: number }) {
  // Nothing is paid here: a slow chain leaves the machine to the others.
  let service = await startService({ env: localChain({ slotMs: 400 }) });
  const folder = await mkdtemp(join(tmpdir(), "holdfast-follow-"));
  const merchant = await newMerchant(service, { rate: RATE });
  const random = new Random(seed);
  await using network = await startBadNetwork(
    () => service.apiUrl,
    () => (random.chance(0.05) ? random.pick(["before", "after", "within", "503"]) : "none"),
  );
  const path = join(folder, "sequences");
  await writeFile(path, "");
  const lines = async () => (await readFile(path, "utf8")).split("\n").slice(0, -1);
  let child: ChildProcess | undefined;
  const start = () => {
    child = spawn(process.execPath, [FOLLOWER, network.url, merchant.key, path], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
  };
  const grows = async (what: string) => {
    const { length } = await lines();
    await eventually(what, async () => (await lines()).length > length);
  };
  const stopWriter = startWriter(merchant, network.url, () => someTerms(service) as NewPaymentIntent);
  try {
    for (let kill = 0; kill < kills; kill++) {
      start();
      // Some die in the middle of their work, some before it.
      if (kill % 3 !== 0) await grows(`it goes on after the kill ${kill}`);
      await sleep(random.whole(0, 120));
      const dead = once(child!, "exit");
      child!.kill("SIGKILL");
      await dead;
    }
    start();
    await grows("it goes on at last");
    network.cut();
    await sleep(1_500);
    network.mend();
    await grows("it goes on after the cut");
    child!.kill("SIGSTOP");
    await sleep(ASLEEP_MS);
    child!.kill("SIGCONT");
    await grows("it goes on after a sleep");
    await service.end("SIGKILL");
    service = await service.restart();
    await grows("it goes on after the service's end");
    const created = await stopWriter();
    const { lastSequence } = await readEvents(service.apiUrl, merchant);
    assert.equal(Number(lastSequence), created);
    await eventually("it has read all", async () => (await lines()).length >= created);
    assert.deepEqual(
      await lines(),
      Array.from({ length: created }, (_, index) => String(index + 1)),
    );
    return { kills, events: created, "requests of writer and follower": network.passed.length };
  } finally {
    await stopWriter().catch(() => undefined);
    child?.kill("SIGKILL");
    await service.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
