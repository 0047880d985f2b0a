import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { newMerchant } from "../harness/merchant.ts";
import { assertSound } from "./checker.ts";
import { Cluster } from "./cluster.ts";
import { expectPaid } from "./kill.ts";
import { awaitQuiet } from "./quiet.ts";
import { Random } from "./random.ts";
import type { Figures } from "./scenarios.ts";
import { StandaloneService } from "./standaloneService.ts";
import { Traffic } from "./traffic.ts";

export interface DatabaseFaults {
  readonly seed: number;
  /** The number of times that all connections are cut, that PostgreSQL is stopped fast, and that it is stopped immediately. */
  readonly terminations: number;
  readonly fast: number;
  readonly immediate: number;
  readonly payments: number;
  readonly buyers: number;
}

const HOUR_SECONDS = 3_600;

/** PostgreSQL fails in every way under load; the service is never started again. */
export async function runDatabaseFaults(options: DatabaseFaults): Promise<Figures> {
  const { seed, terminations, fast, immediate, payments, buyers } = options;
  const random = new Random(seed);
  const cluster = await Cluster.start();
  let service: StandaloneService | null = null;
  try {
    service = await StandaloneService.start({ databaseUrl: cluster.url });
    const { pid } = service.process;
    const shop = await newMerchant(service);
    const traffic = new Traffic(service, shop, { random, payments, buyers });
    const faults = shuffle(random, [
      ...Array<"cut">(terminations).fill("cut"),
      ...Array<"fast">(fast).fill("fast"),
      ...Array<"immediate">(immediate).fill("immediate"),
    ]);
    let cut = 0;
    const failing = async () => {
      for (const [index, fault] of faults.entries()) {
        traffic.allow(Math.ceil((payments * (index + 1)) / faults.length));
        await sleep(random.whole(50, 500));
        if (fault === "cut") {
          cut += await cluster.terminateBackends();
          continue;
        }
        await cluster.stop(fault);
        await sleep(random.whole(0, 1_000));
        await cluster.begin();
      }
    };
    const living = service;
    await Promise.all([traffic.run(), failing()])
      .catch((error: unknown) => {
        // The service's errors explain the failure better than the buyer's step does.
        throw new Error(`${error}\nThe service said: ${living.errors().slice(-4_000)}`, { cause: error });
      })
      .finally(() => {
        traffic.stop();
        assert.equal(living.process.exitCode, null, `the service ended: ${living.errors().slice(-2_000)}`);
        assert.equal(living.process.pid, pid);
      });
    await service.advance(HOUR_SECONDS);
    await awaitQuiet(service);
    await expectPaid(shop, traffic);
    const report = await assertSound(service.database, service.evidence);
    const { disputes, retries, confirmed } = traffic;
    const figures = { "transactions confirmed": confirmed.length, disputes, "requests repeated": retries };
    return { figures: { payments, ...figures, terminations, "connections cut": cut, fast, immediate }, report };
  } finally {
    await service?.remove();
    await cluster.remove();
  }
}

function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: random.next() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
