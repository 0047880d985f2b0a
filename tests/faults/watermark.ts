import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { newBuyer, pay } from "../harness/chain.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { assertSound } from "./checker.ts";
import { makeShout } from "./noise.ts";
import { awaitQuiet } from "./quiet.ts";
import type { Figures } from "./scenarios.ts";
import { StandaloneService } from "./standaloneService.ts";

export interface Watermark {
  readonly seconds: number;
  readonly paymentsASecond: number;
  readonly noiseASecond: number;
}

const BEHIND_SECONDS_MAX = 15;
const EXPIRED_SECONDS_MAX = 20;
const LIFETIME_SECONDS = 900;
/** An unpaid intent expires this often, and the slow node changes. */
const UNPAID_SECONDS = 10;
const SLOW_SECONDS = 30;
const SLOW_MS = 3_000;
const NOISE_BATCH = 10;
const BUYERS = 20;
const UNDER_WAY_MAX = 200;
const POLL_MS = 500;
const DRAIN_MS_MAX = 300_000;

/** Payments and noise without a pause, on a chain that is final in one slot, while one node after the other is slow. */
export async function runWatermark({ seconds, paymentsASecond, noiseASecond }: Watermark): Promise<Figures> {
  const service = await StandaloneService.start({
    slotMs: 214,
    finalizedSlots: 1,
    env: { INTENT_LIFETIME_MINUTES: String(LIFETIME_SECONDS / 60) },
    chain: { sweepMs: 4_000 },
  });
  try {
    const shop = await newMerchant(service);
    const unpaid = await createUnpaid(service, shop, Math.floor(seconds / UNPAID_SECONDS));
    const buyers = await Promise.all(Array.from({ length: BUYERS }, () => newBuyer(service)));
    const shout = await makeShout(service, NOISE_BATCH);
    const paid: Wire[] = [];
    let slow: "one" | "two" = "two";
    const traffic = [
      atRate(paymentsASecond, seconds, async (number) => {
        const intent = await shop.create({ amount: "1000" });
        await pay(service, intent, { buyer: buyers[number % BUYERS]!, options: { until: "none" } });
        paid.push(intent);
      }),
      atRate(noiseASecond / NOISE_BATCH, seconds, (number) => shout(number * NOISE_BATCH)),
      atRate(1 / SLOW_SECONDS, seconds, async (number) => {
        await service.chain.control("faults", { mode: "none" });
        slow = number % 2 === 0 ? "two" : "one";
        await service.chain.control("faults", { mode: "slow", node: slow, ms: SLOW_MS });
      }),
    ];
    const polls: Wire[] = [];
    const watched = atRate(
      1_000 / POLL_MS,
      seconds,
      async () => void polls.push({ slow, ...(await shop.get("/chain")).json }),
    );
    const [payments, noises] = await Promise.all(traffic);
    await watched;

    await eventually(
      "the unpaid intents are announced as expired",
      async () => (await listExpired(shop)).length >= unpaid,
      DRAIN_MS_MAX,
    );
    const lateSeconds = (await listExpired(shop)).map(({ createdAt, data }) =>
      secondsBetween(data.object.expiresAt, createdAt),
    );
    await service.chain.control("faults", { mode: "none" });
    await awaitQuiet(service, DRAIN_MS_MAX);
    const report = await assertSound(service.database, service.evidence);
    const worst = polls.reduce((one, other) => (other.behindSeconds > one.behindSeconds ? other : one));
    const behindWhile = (isMeant: (poll: Wire) => boolean) =>
      polls.filter(isMeant).map(({ behindSeconds }) => behindSeconds as number);
    const behind = behindWhile(() => true);
    const figures = {
      payments: paid.length,
      "payments a second": (payments! / seconds).toFixed(1),
      "noise a second": ((noises! * NOISE_BATCH) / seconds).toFixed(1),
      "behind, s, half of the time at most": percentile(behind, 0.5),
      "behind, s, 95 % of the time at most": percentile(behind, 0.95),
      "behind, s, at most": worst.behindSeconds,
      "while the preferred node is slow": Math.max(...behindWhile((poll) => poll.slow === "one")),
      "while the second is": Math.max(...behindWhile((poll) => poll.slow === "two")),
      "held then by": JSON.stringify(worst.heldBy),
      "unpaid intents": unpaid,
      "announced as expired after, s, half of them": percentile(lateSeconds, 0.5),
      "announced as expired after, s, at most": Math.max(...lateSeconds),
    };
    assert.ok(worst.behindSeconds <= BEHIND_SECONDS_MAX, `the watermark is too far behind: ${JSON.stringify(figures)}`);
    assert.ok(Math.max(...lateSeconds) <= EXPIRED_SECONDS_MAX, `an expiry comes late: ${JSON.stringify(figures)}`);
    return { figures, report };
  } finally {
    await service.remove();
  }
}

/** Intents that nobody pays; from now on one of them expires every few seconds. */
async function createUnpaid(service: StandaloneService, shop: Merchant, count: number): Promise<number> {
  for (let number = 0; number < count; number++) {
    await shop.create();
    await service.advance(UNPAID_SECONDS);
  }
  await service.advance(LIFETIME_SECONDS - (count + 1) * UNPAID_SECONDS);
  await eventually(
    "the watermark has followed the clock",
    async () => (await shop.get("/chain")).json.behindSeconds < 5,
  );
  return count;
}

const listExpired = (shop: Merchant): Promise<Wire[]> => shop.walk("/events?type=payment_intent.expired", 100);

/** Begins the work so many times a second, whether or not the earlier is done; returns how often it began. */
async function atRate(aSecond: number, seconds: number, work: (number: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let number = 0;
  for (; number < aSecond * seconds; number++) {
    await sleep(Math.max(0, startedAt + (number * 1_000) / aSecond - performance.now()));
    if (performance.now() - startedAt > seconds * 1_000) break;
    if (underWay.size >= UNDER_WAY_MAX) await Promise.race(underWay);
    const one = work(number)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  return number;
}

const secondsBetween = (one: string, other: string): number => (Date.parse(other) - Date.parse(one)) / 1_000;

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;
