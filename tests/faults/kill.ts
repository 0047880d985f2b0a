import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { newMerchant } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { Beside } from "./beside.ts";
import { assertSound } from "./checker.ts";
import { awaitQuiet } from "./quiet.ts";
import { Random } from "./random.ts";
import type { Figures } from "./scenarios.ts";
import { Traffic } from "./traffic.ts";

/** Every place where the service can be made to end, but that of a revert, which the scenario of reverts visits. */
export const FAILPOINTS = [
  "feed.after_read",
  "sweep.after_read",
  "record.before_commit",
  "sweep.after_commit",
  "confirm.before_commit",
  "finality.after_read",
  "keeper.before_send",
  "keeper.after_send",
] as const;

export interface Kills {
  readonly seed: number;
  readonly kills: number;
  readonly payments: number;
  readonly buyers: number;
}

/** A fail-point that nothing happens to reach within this time counts as a kill at random. */
const REACH_MS_MAX = 4_000;
const HOUR_SECONDS = 3_600;

/** Kills the service again and again, at random and at each fail-point in turn, while buyers pay, dispute and release. */
export async function runKills({ seed, kills, payments, buyers }: Kills): Promise<Figures> {
  const random = new Random(seed);
  const service = await Beside.start();
  try {
    const shop = await newMerchant(service);
    const traffic = new Traffic(service, shop, { random, payments, buyers });
    const reached = new Map<string, number>();
    let atRandom = 0;
    const traffics = traffic.run();
    const killing = (async () => {
      await service.end("SIGKILL");
      for (let kill = 1; kill < kills; kill++) {
        const place = kill % 2 === 1 ? FAILPOINTS[(kill >> 1) % FAILPOINTS.length]! : null;
        if (place === null) {
          await service.begin();
          await sleep(random.whole(20, 600));
          await service.end("SIGKILL");
          atRandom++;
          continue;
        }
        if (place.startsWith("keeper")) await service.advance(HOUR_SECONDS);
        const hit = await killAt(service, `${place}:${random.whole(1, 3)}`);
        if (hit) reached.set(place, (reached.get(place) ?? 0) + 1);
        else atRandom++;
      }
      await service.begin();
    })();
    await Promise.all([traffics, killing]).finally(() => traffic.stop());

    await service.advance(HOUR_SECONDS);
    await awaitQuiet(service);
    for (const [intent, mine] of traffic.paid) {
      const shown = await shop.intent(intent);
      assert.equal(shown.status, "paid", `${intent} was paid and is ${shown.status}`);
      assert.ok(mine.includes(shown.payment.id), `${intent} is paid by ${shown.payment.id}, which nobody made for it`);
    }
    const report = await assertSound(service.database, service.evidence);
    const places = Object.fromEntries([...reached].map(([place, count]) => [`killed at ${place}`, count]));
    return {
      figures: {
        payments: traffic.signatures.length,
        disputes: traffic.disputes,
        resolutions: traffic.resolutions,
        "requests and transactions repeated": traffic.retries,
        kills: atRandom + 1 + [...reached.values()].reduce((sum, count) => sum + count, 0),
        "killed at random": atRandom + 1,
        ...places,
      },
      report,
    };
  } finally {
    await service.remove();
  }
}

/** True when the service ended itself at the place; else it is killed where it stands. */
async function killAt(service: Beside, place: string): Promise<boolean> {
  // It may reach the place before it says that it is ready.
  const over = await service.begin({ HOLDFAST_FAILPOINT: place });
  let ended = over !== null;
  void service.ended.then(() => {
    ended = true;
  });
  await eventually(`the service reaches ${place}`, () => ended, REACH_MS_MAX).catch(() => null);
  const hit = ended;
  const { code, signal } = await service.end("SIGKILL");
  assert.equal(signal, "SIGKILL", `the service ended by itself with ${code}: ${service.errors().slice(-2_000)}`);
  return hit;
}
