import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page, Response } from "playwright-core";
import { rpc } from "../harness/chain.ts";
import { inForm } from "../harness/form.ts";
import { type Merchant, merchantOf } from "../harness/merchant.ts";
import { localChain, type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { TestBrowser } from "./browser.ts";
import { openBuyers } from "./buyer.ts";

/** Wallets take 5 to 120 seconds of a chain with slots of 214 ms; here a slot is shorter, and they take as many blocks. */
const SLOT_MS = 107;
const SETTINGS = localChain({ slotMs: SLOT_MS, finalizedSlots: 8, skipEvery: 20 });
const blocksIn = (seconds: number): number => Math.ceil((seconds * 1_000) / 214);
const {
  count: COUNT,
  together: TOGETHER,
  changeAt: CHANGE_AT,
} = inForm({
  short: { count: 4, together: 4, changeAt: 0 },
  long: { count: 200, together: 10, changeAt: 100 },
});
/** While these buyers wait, the chain goes over to Alpenglow, and its slots become slower. */
const CHANGE = { consensus: "alpenglow", slotMs: 150 };
const CHANGE_SECONDS = 30;

/** Ways of paying in this page: what the wallet does with what it is asked for. */
const WAYS = [
  { what: "signs", sends: false },
  { what: "signs and sends", sends: true },
  { what: "signs, without SOL", sends: false, lamports: 0 },
  { what: "says that it sent, and did not", sends: "silently" },
] as const;

let service: Service;
let shop: Merchant;
let browser: TestBrowser;
before(async () => {
  [service, browser] = await Promise.all([startService({ env: SETTINGS }), TestBrowser.launch()]);
  shop = merchantOf(service, service.business, "", service.testKey);
  await rpc(service, "devnet_faucet", { address: service.recipient, asset: service.asset, amount: "1" });
});
after(async () => {
  await browser?.close();
  await service?.remove();
});
const { aBuyer, paymentsOf } = openBuyers(() => ({ service, shop, browser }));

const heightAt = (commitment: "processed" | "finalized") => rpc<number>(service, "getBlockHeight", { commitment });

/** Compares what the page hears, and says, with the heights of the chain. */
function probe(page: Page) {
  const untrue: string[] = [];
  /** The last height of the transaction that the page got last; what the page heard of it. */
  let [last, isOver] = [0, false];
  const hear = async (response: Response) => {
    const path = new URL(response.url()).pathname;
    if (path.endsWith("/build") && response.ok())
      [last, isOver] = [(await response.json()).lastValidBlockHeight, false];
    const isRefused = path.endsWith("/submit") && response.status() === 409;
    const isEnded = path.endsWith("/life") && (await response.json()).status === "ended";
    if (!isRefused && !isEnded) return;
    isOver = true;
    const height = await heightAt("processed");
    if (height <= last) untrue.push(`it is said to have ended at ${height}, and lives until ${last}`);
  };
  let heard: Promise<unknown> = Promise.resolve();
  page.on("response", (response) => {
    heard = Promise.all([heard, hear(response).catch(() => undefined)]);
  });
  return {
    untrue,
    /** Looks once; returns true if the page asks for one more press. */
    async look(): Promise<boolean> {
      const [knew, before] = [isOver, await heightAt("finalized")];
      const textOf = async (id: string) =>
        (await page
          .locator(`#${id}`)
          .textContent({ timeout: 500 })
          .catch(() => "")) ?? "";
      const [text, button] = [await textOf("progress"), await textOf("pay")];
      // The page says what it heard before.
      await heard;
      const saysOver = /nothing will be/.test(text);
      if (saysOver && !isOver) untrue.push(`"${text}" at ${before}, before ${last}`);
      if (knew && isOver && /Confirm in|Sent\.|not certain/.test(text))
        untrue.push(`"${text}" at ${before}, after ${last}`);
      return saysOver && button.startsWith("Pay again");
    },
  };
}

/** Returns once so many blocks have passed. */
async function pass(blocks: number): Promise<void> {
  const until = (await heightAt("processed")) + blocks;
  await eventually("the blocks pass", async () => (await heightAt("processed")) >= until);
}

async function payBy(number: number): Promise<{ readonly presses: number; readonly untrue: readonly string[] }> {
  const { what, ...way } = WAYS[number % WAYS.length]!;
  const seconds = 5 + Math.round((115 * ((number * 37) % COUNT)) / Math.max(COUNT - 1, 1));
  const buyer = await aBuyer({
    ...way,
    handle: async (bytes) => {
      if (buyer.wallet.asked.length === 1) await pass(blocksIn(seconds));
      return bytes;
    },
  });
  const { page, context, intent, wallet } = buyer;
  const probed = probe(page);
  const isPaid = page.getByRole("heading", { name: "Paid and protected" });
  await page.locator("#pay:not([aria-disabled=true])").click();
  let presses = 1;
  await eventually(`wallet ${number}, which ${what} after ${seconds} s, has paid`, async () => {
    if (await isPaid.isVisible()) return true;
    if (!(await probed.look())) return false;
    // Whoever says that it sent sends at last.
    if (way.sends === "silently") wallet.sends = true;
    presses++;
    await page.locator("#pay").click();
    return isPaid.isVisible();
  });
  const payments = await paymentsOf(intent);
  await context.close();
  const lost = payments.length === 1 ? [] : [`${payments.length} payments of one order`];
  return { presses, untrue: [...probed.untrue, ...lost].map((one) => `${what} after ${seconds} s: ${one}`) };
}

test("§12.8 whatever a wallet takes, and while the chain itself changes, no page says what the chain's heights do not bear out, one press goes on, and each buyer pays once", async () => {
  const results = [];
  for (let at = 0; at < COUNT; at += TOGETHER) {
    const changed = at === CHANGE_AT && pass(blocksIn(CHANGE_SECONDS)).then(() => rpc(service, "devnet_pace", CHANGE));
    results.push(...(await Promise.all(Array.from({ length: TOGETHER }, (_, index) => payBy(at + index)))));
    await changed;
  }
  assert.deepEqual(
    results.flatMap(({ untrue }) => untrue),
    [],
  );
  assert.ok(
    results.every(({ presses }) => presses <= 2),
    `presses: ${results.map(({ presses }) => presses)}`,
  );
  assert.ok(results.some(({ presses }) => presses === 1) && results.some(({ presses }) => presses === 2));
});
