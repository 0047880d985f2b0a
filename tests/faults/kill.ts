import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { SignatureStatus } from "@holdfast/devnet/client.ts";
import { sql } from "../../server/store/sql.ts";
import { rpc } from "../harness/chain.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { assertSound } from "./checker.ts";
import { awaitQuiet } from "./quiet.ts";
import { Random } from "./random.ts";
import type { Figures } from "./scenarios.ts";
import { StandaloneService } from "./standaloneService.ts";
import { Traffic } from "./traffic.ts";

/** Every fail-point of the service, except that of a revert, which the scenario of reverts visits. */
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
  /** The chain is killed along with every n-th kill of the service; 0 means never. */
  readonly chainEvery: number;
}

/** A fail-point that the service does not reach within this time counts as a kill at random. */
const REACH_MS_MAX = 3_000;
const HOUR_SECONDS = 3_600;

/** Kills the service again and again, at random and at each fail-point in turn, while buyers pay, dispute and release. */
export async function runKills({ seed, kills, payments, buyers, chainEvery }: Kills): Promise<Figures> {
  const random = new Random(seed);
  const service = await StandaloneService.start();
  try {
    const shop = await newMerchant(service);
    const traffic = new Traffic(service, shop, { random, payments, buyers });
    const counts = new Map<string, number>();
    const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
    const killing = async () => {
      for (let kill = 1; kill <= kills; kill++) {
        traffic.allow(Math.ceil((payments * kill) / kills));
        const place = kill % 2 === 0 ? FAILPOINTS[(kill >> 1) % FAILPOINTS.length]! : null;
        if (place === null) {
          await sleep(random.whole(20, 600));
          await service.end("SIGKILL");
          count("killed at random");
        } else {
          await service.end("SIGKILL");
          count("killed before it was armed");
          if (place.startsWith("keeper")) await service.advance(HOUR_SECONDS);
          const hit = await killAt(service, `${place}:${random.whole(1, 2)}`);
          count(hit ? `killed at ${place}` : `killed near ${place}`);
        }
        if (chainEvery > 0 && kill % chainEvery === 0) {
          await service.chain.end("SIGKILL");
          await service.chain.restart();
          count("chain killed");
        }
        await service.begin();
      }
    };
    await Promise.all([traffic.run(), killing()]).finally(() => traffic.stop());

    await service.advance(HOUR_SECONDS);
    await awaitQuiet(service);
    await expectPaid(shop, traffic);
    await expectKept(service, traffic.confirmed);
    const report = await assertSound(service.database, service.evidence);
    const { disputes, resolutions, retries, confirmed } = traffic;
    const figures = {
      payments: await countPayments(service),
      disputes,
      resolutions,
      "transactions confirmed": confirmed.length,
    };
    return {
      figures: { ...figures, "requests and transactions repeated": retries, ...Object.fromEntries(counts) },
      report,
    };
  } finally {
    await service.remove();
  }
}

/** True when the service ended itself at the place; else it is killed where it stands. */
async function killAt(service: StandaloneService, place: string): Promise<boolean> {
  // The service may reach the place before it says that it is ready.
  let ended = (await service.begin({ HOLDFAST_FAILPOINT: place })) !== null;
  void service.ended.then(() => {
    ended = true;
  });
  await eventually(`the service reaches ${place}`, () => ended, REACH_MS_MAX).catch(() => null);
  const hit = ended;
  const { code, signal } = await service.end("SIGKILL");
  assert.equal(signal, "SIGKILL", `the service ended by itself with ${code}: ${service.errors().slice(-2_000)}`);
  return hit;
}

/** Every payment that a buyer made and saw confirmed has paid its intent, or is a duplicate of one that did. */
export async function expectPaid(shop: Merchant, { paid }: Traffic): Promise<void> {
  for (const [intent, mine] of paid) {
    const shown = await shop.intent(intent);
    assert.equal(shown.status, "paid", `${intent} was paid and is ${shown.status}`);
    assert.ok(mine.includes(shown.payment.id), `${intent} is paid by ${shown.payment.id}, which nobody made for it`);
  }
}

/** Asserts that the chain still knows every transaction that a buyer saw confirmed. */
async function expectKept(service: StandaloneService, signatures: readonly string[]): Promise<void> {
  const options = { searchTransactionHistory: true };
  for (let at = 0; at < signatures.length; at += 256) {
    const some = signatures.slice(at, at + 256);
    const { value } = await rpc<{ value: (SignatureStatus | null)[] }>(service, "getSignatureStatuses", some, options);
    const lost = some.filter((_, index) => value[index] === null);
    assert.deepEqual(lost, [], "confirmed transactions are lost");
  }
}

async function countPayments({ database }: StandaloneService): Promise<string> {
  const rows = await database.rows<{ status: string; count: string }>(
    sql`select status, count(*) from payments group by status order by status`,
  );
  return rows.map(({ status, count }) => `${count} ${status}`).join(", ");
}
