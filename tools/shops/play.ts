// Plays a shop's trade against a stock shop with a plugin, and the handler kit after it.
import assert from "node:assert/strict";
import { fromDecimal } from "@holdfast/sdk";
import {
  conform,
  createInstance,
  describeReport,
  type ShopOrder,
  type TestInstance,
  type TradingShop,
  trade,
} from "@holdfast/testing";
import { adminApart } from "../../tests/harness/admin.ts";
import { findFreePorts } from "../../tests/harness/ports.ts";

export interface PlayOptions {
  readonly orders: number;
  readonly days: number;
  readonly seed: number;
  /** Leaves out the handler kit. */
  readonly isTradeOnly: boolean;
}

export interface ShopOptions {
  readonly holdfast: {
    readonly apiUrl: string;
    readonly apiKey: string;
    readonly recipient: string;
    readonly asset: string;
  };
  readonly amounts: "price" | "amount";
}

/** A stock shop with a plugin, as its buyers, its staff and its warehouse reach it. */
export interface PlayedShop extends TradingShop, AsyncDisposable {
  readonly name: string;
  /** A second secret, which is being rolled. */
  readonly oldSecret: string;
  /** The staff set another recipient, who can be paid or not. */
  setRecipient(recipient: string, isRight: boolean): Promise<void>;
  /** The page to which the buyer of an order comes back. */
  returnUrl(reference: string): string;
  /** The shop's books of an order. */
  effects(reference: string): Promise<{ isEntered: boolean; refunded: number; refundTotal: string }>;
}

/** The total that the answer to a refund names, in the smallest unit of USDC; undefined if it names none. */
export function totalIn(answer: string): string | undefined {
  const tokens = /a total of ([\d.]+) USDC at/.exec(answer)?.[1];
  return tokens === undefined ? undefined : fromDecimal(tokens, DECIMALS);
}
const DECIMALS = 6;

/** The state of an order that a plugin in TypeScript shows, beside the shop's own books. */
export function shownState(
  progress: string,
  { isCanceled, isPaid, isRefunded }: { isCanceled: boolean; isPaid: boolean; isRefunded: boolean },
): ShopOrder["state"] {
  if (isCanceled) return "canceled";
  if (["disputed", "decided", "reverted"].includes(progress)) return "held";
  if (!isPaid) return "open";
  return isRefunded ? "refunded" : "paid";
}

/** Returns false if something is wrong. */
export async function playShop(
  root: string,
  options: PlayOptions,
  startShop: (options: ShopOptions) => Promise<PlayedShop>,
): Promise<boolean> {
  const isTraded = await playTrade(root, options, startShop);
  return (options.isTradeOnly || (await tryHandler(startShop))) && isTraded;
}

async function playTrade(
  root: string,
  { orders, days, seed }: PlayOptions,
  startShop: (options: ShopOptions) => Promise<PlayedShop>,
): Promise<boolean> {
  await using instance = await createInstance({ dir: root, env: SETTINGS });
  const holdfast = { ...instance, apiKey: await issueKey(instance) };
  const { apiUrl, apiKey, recipient, asset } = holdfast;
  await using shop = await startShop({ holdfast: { apiUrl, apiKey, recipient, asset }, amounts: "price" });
  await payAfterWrongSettings(shop, recipient, asset);
  const onDay = (day: number, soFar: number) => console.log(`day ${day}: ${soFar} orders`);
  const report = await trade({ shop, holdfast, orders, days, seed, onDay });
  const { wrong, ...figures } = report;
  console.log(JSON.stringify(figures, null, 2));
  for (const one of wrong) console.log(`✖ ${one}`);
  console.log(`${wrong.length === 0 ? "✔" : "✖"} ${shop.name}: ${orders} orders, ${wrong.length} wrong`);
  return wrong.length === 0;
}

/** A mint is no recipient: the refusal stays under its Idempotency-Key, and must not be in the way of the next attempt. */
async function payAfterWrongSettings(shop: PlayedShop, recipient: string, asset: string): Promise<void> {
  const { reference } = await shop.order();
  await shop.setRecipient(asset, false);
  await assert.rejects(shop.payAgain(reference));
  await shop.setRecipient(recipient, true);
  assert.ok(await shop.payAgain(reference), "An order cannot be paid after its settings were wrong.");
  assert.ok(await shop.giveUp(reference));
}

/** Weeks of trade in minutes take more requests than a key has by default. */
async function issueKey(instance: TestInstance): Promise<string> {
  const me = await fetch(`${instance.apiUrl}/me`, { headers: { Authorization: `Bearer ${instance.apiKey}` } });
  const { id } = (await me.json()) as { readonly id: string };
  return (await adminApart(instance, "key", "add", id, "--rate", RATE)).secret;
}
const RATE = "6000";

/** USDC stands for the dollar, and the chain's slots are short. */
const SETTINGS = {
  ASSET_PARS:
    '{"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v":{"currency":"USD","at":"2026-11-01","until":"2027-10-31"}}',
  LOCAL_CHAIN: '{"slotMs":40,"finalizedSlots":8}',
};

async function tryHandler(startShop: (options: ShopOptions) => Promise<PlayedShop>): Promise<boolean> {
  const apiPort = await findFreePorts(1);
  const holdfast = {
    ...{ apiUrl: `http://127.0.0.1:${apiPort}`, apiKey: "sk_test_conform" },
    ...{
      recipient: "14o8iuu4aCmiFSRK4VQoXFRk9z1Ko1HMAEhFHUPTokqP",
      asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    },
  };
  await using shop = await startShop({ holdfast, amounts: "amount" });
  const report = await conform({
    ...{ url: shop.webhookUrl, secrets: [shop.secret, shop.oldSecret], apiPort, restart: shop.restart },
    createOrder: async () => (await shop.order()).reference,
    probe: async (reference) => {
      const { isEntered, refunded, refundTotal } = await shop.effects(reference);
      return { fulfilled: isEntered ? 1 : 0, refunded, refundedAmount: refundTotal };
    },
    returnUrl: (reference) => shop.returnUrl(reference),
    effectMsMax: 15_000,
  });
  console.log(describeReport(report));
  return report.passed;
}
