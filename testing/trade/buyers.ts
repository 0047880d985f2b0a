import type { TestInstance } from "../instance.ts";
import type { Random } from "./random.ts";
import type { TradingShop } from "./shop.ts";

/** An order and the way in which its buyer and its merchant behave. */
export interface Trade {
  readonly reference: string;
  intent: string;
  readonly story: Story;
}

/** Shares of the stories, as weights. */
const STORIES = {
  pays: 30,
  closes_tab: 10,
  walks_away: 7,
  pays_twice: 8,
  pays_too_little: 6,
  pays_next_day: 6,
  pays_after_giving_up: 6,
  disputes: 12,
  asks_for_half_back: 8,
  asks_for_all_back: 7,
} as const;
export type Story = keyof typeof STORIES;

export function pickStory(random: Random): Story {
  const total = Object.values(STORIES).reduce((sum, weight) => sum + weight, 0);
  let rest = random.next() * total;
  for (const [story, weight] of Object.entries(STORIES)) {
    rest -= weight;
    if (rest < 0) return story as Story;
  }
  return "pays";
}

export interface Stage {
  readonly holdfast: TestInstance;
  readonly shop: TradingShop;
  readonly random: Random;
}

/** The day of the order. Acts that wait for another day return what is left of them. */
export async function playFirstDay(stage: Stage, trade: Trade): Promise<boolean> {
  const { holdfast, shop, random } = stage;
  const { intent, reference, story } = trade;
  switch (story) {
    case "walks_away":
      shop.walkAway?.(reference);
      return false;
    case "pays_next_day":
      return true;
    case "pays_too_little":
      await holdfast.pay(intent, { amount: "1" });
      if (random.chance(0.5)) await holdfast.pay(intent, { again: true });
      return false;
    case "pays_after_giving_up":
      if (await shop.giveUp(reference)) await holdfast.pay(intent);
      return false;
    default:
      await holdfast.pay(intent);
  }
  if (story !== "closes_tab") await shop.comeBack(reference);
  if (story === "pays_twice") await payTwice(stage, trade);
  if (story === "disputes") await holdfast.dispute(intent);
  return story === "disputes" || story === "asks_for_half_back" || story === "asks_for_all_back";
}

async function payTwice({ holdfast, random }: Stage, { intent }: Trade): Promise<void> {
  await holdfast.pay(intent, { again: true });
  if (random.chance(0.7)) await holdfast.refund(intent, { again: true });
}

export async function playNextDay({ holdfast, shop, random }: Stage, trade: Trade): Promise<void> {
  const { reference, story } = trade;
  if (story === "pays_next_day") {
    const intent = await shop.payAgain(reference);
    if (intent === null) return;
    trade.intent = intent;
    await holdfast.pay(intent);
    return shop.comeBack(reference);
  }
  if (story === "asks_for_half_back" || story === "asks_for_all_back") {
    const total = await shop.askRefund(reference, story === "asks_for_half_back" ? "half" : "all");
    await holdfast.refund(trade.intent, { total });
    return;
  }
  const { pick } = random;
  const end = pick(["release", "refund", "split", "shop refunds", "buyer releases", "open"] as const);
  if (end === "release" || end === "refund") await holdfast.rule(trade.intent, end);
  if (end === "split") await holdfast.rule(trade.intent, { total: "1000000" });
  if (end === "shop refunds") await holdfast.refund(trade.intent);
  if (end === "buyer releases") await holdfast.release(trade.intent);
}
