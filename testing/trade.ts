import { setTimeout as sleep } from "node:timers/promises";
import type { TestInstance } from "./instance.ts";
import { readIntents } from "./trade/api.ts";
import { pickStory, playFirstDay, playNextDay, type Stage, type Story, type Trade } from "./trade/buyers.ts";
import { judgeOrder } from "./trade/judge.ts";
import { startNetwork } from "./trade/network.ts";
import { randomOf } from "./trade/random.ts";
import type { TradingShop } from "./trade/shop.ts";

export interface TradeOptions {
  readonly shop: TradingShop;
  readonly holdfast: TestInstance;
  readonly orders: number;
  /** The days over which the orders come; 30 if left out. Both clocks of the instance are moved. */
  readonly days?: number | undefined;
  /** The same seed gives the same stories. */
  readonly seed: number;
  /** The longest time in which the shop comes to rest after the last day; three minutes if left out. */
  readonly restMsMax?: number | undefined;
  readonly onDay?: ((day: number, orders: number) => void) | undefined;
}

export interface TradeReport {
  /** The number of orders of each story. */
  readonly stories: Readonly<Partial<Record<Story, number>>>;
  readonly delivered: number;
  readonly restarts: { readonly shop: number; readonly holdfast: number };
  /** Orders whose state is not that of the API, each with the difference; none if no person has to touch any. */
  readonly wrong: readonly string[];
  readonly tookMs: number;
}

const DAY_SECONDS = 86_400;
/** Buyers who are at the checkout at one moment. */
const AT_ONCE = 4;
/** The shares of days on which the shop, and Holdfast, are killed; on the first one both. */
const RESTARTED = { shop: 0.2, holdfast: 0.1 };
const POLL_MS = 1_000;

/** Plays days of a shop's trade, and compares each order with the API at the end. */
export async function trade(options: TradeOptions): Promise<TradeReport> {
  const { shop, holdfast, orders, days = 30, seed, restMsMax = 180_000, onDay } = options;
  const startedAt = performance.now();
  const stage: Stage = { shop, holdfast, random: randomOf(seed) };
  const network = startNetwork(holdfast, shop, randomOf(seed + 1));
  const trades: Trade[] = [];
  const restarts = { shop: 0, holdfast: 0 };
  let later: Trade[] = [];
  for (let day = 0; day <= days; day++) {
    const yesterday = later;
    later = [];
    const due = day === days ? 0 : Math.round((orders * (day + 1)) / days) - Math.round((orders * day) / days);
    const work = [
      ...yesterday.map((one) => () => playNextDay(stage, one)),
      ...Array.from({ length: due }, () => async () => {
        const story = pickStory(stage.random);
        const one: Trade = { ...(await shop.order()), story };
        trades.push(one);
        if (await playFirstDay(stage, one)) later.push(one);
      }),
    ];
    await inParallel(work);
    for (const [name, killed] of Object.entries({ shop, holdfast })) {
      const side = name as keyof typeof restarts;
      if (day === days || (day > 0 && !stage.random.chance(RESTARTED[side]))) continue;
      await killed.restart();
      restarts[side]++;
    }
    await shop.shipAll();
    if (day < days) await holdfast.advance(DAY_SECONDS);
    onDay?.(day + 1, trades.length);
  }
  await network.finish();
  const wrong = await awaitRest(stage, trades, performance.now() + restMsMax);
  const stories: Partial<Record<Story, number>> = {};
  for (const { story } of trades) stories[story] = (stories[story] ?? 0) + 1;
  const tookMs = Math.round(performance.now() - startedAt);
  return { stories, delivered: network.delivered, restarts, wrong, tookMs };
}

async function inParallel(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = [...work];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await one();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Judges the orders again until none is wrong, or the time is over. */
async function awaitRest({ shop, holdfast }: Stage, trades: readonly Trade[], endsAt: number): Promise<string[]> {
  let left = trades;
  for (;;) {
    await shop.shipAll();
    const wrong = await judgeAll({ shop, holdfast }, left);
    if (wrong.length === 0 || performance.now() > endsAt) return wrong.map(({ text }) => text);
    left = wrong.map(({ trade: one }) => one);
    await sleep(POLL_MS);
  }
}

async function judgeAll({ shop, holdfast }: Pick<Stage, "shop" | "holdfast">, trades: readonly Trade[]) {
  const wrong: { readonly trade: Trade; readonly text: string }[] = [];
  const work = trades.map((one) => async () => {
    const intents = await readIntents(holdfast, one.reference);
    const differences = judgeOrder(intents, await shop.show(one.reference));
    if (differences.length > 0)
      wrong.push({ trade: one, text: `${one.reference} (${one.story}): ${differences.join("; ")}.` });
  });
  await inParallel(work);
  return wrong;
}
