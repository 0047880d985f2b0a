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

/**
 * Wallets take 5 to 120 seconds of a chain with slots of 214 ms. Here they take as many blocks, in leaps, and no block but
 * those of the slow clock passes while the page or the service works: then it is the wallet that is late, never the machine.
 */
const SETTINGS = localChain({ slotMs: 400, finalizedSlots: 8, skipEvery: 20 });
const LEAP_SLOTS = 30;
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
const CHANGE = { consensus: "alpenglow", slotMs: 500 };
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

/** Reads a page by one question: its progress, its button, and whether it says that the payment is made. */
const SHOWN = `[
  document.getElementById("progress")?.textContent ?? "",
  document.getElementById("pay")?.textContent ?? "",
  [...document.querySelectorAll("h1, h2")].some((one) => one.textContent === "Paid and protected" && one.checkVisibility()),
]` as unknown as () => readonly [string, string, boolean];

/** Compares what the page hears, and says, with the heights of the chain. */
function probe(page: Page) {
  const untrue: string[] = [];
  let answers = 0;
  /** The last height of the transaction that the page got last; what the page heard of it. */
  let [last, isOver] = [0, false];
  const hear = async (response: Response) => {
    const path = new URL(response.url()).pathname;
    if (path.endsWith("/build") && response.ok())
      [last, isOver] = [(await response.json()).lastValidBlockHeight, false];
    const isRefused = path.endsWith("/submit") && response.status() === 409;
    const isEnded = path.endsWith("/life") && (await response.json()).status === "ended";
    if (path.endsWith("/life")) answers++;
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
    /** The answers so far on the life of a transaction, until one ends it: no more come then. */
    answers: () => (isOver ? null : answers),
    /** Looks once; returns whether the page shows the payment, or asks for one more press, and why. */
    async look(): Promise<"paid" | "over" | "away" | null> {
      const knew = isOver;
      const [text, button, isPaid] = await page.evaluate(SHOWN).catch(() => ["", "", false] as const);
      // The page says what it heard before.
      await heard;
      const saysOver = /nothing will be/.test(text);
      const saysAlive = /Confirm in|Sent\.|not certain/.test(text);
      if ((saysOver && !isOver) || (knew && isOver && saysAlive))
        untrue.push(`"${text}" at ${await heightAt("finalized")}, ${isOver ? "after" : "before"} ${last}`);
      if (isPaid) return "paid";
      if (!/^Pay\b/.test(button)) return null;
      if (saysOver && button.startsWith("Pay again")) return "over";
      return /try again shortly/.test(text) ? "away" : null;
    },
  };
}

/** Returns once so many blocks have passed. */
async function pass(blocks: number): Promise<void> {
  const until = (await heightAt("processed")) + blocks;
  await eventually("the blocks pass", async () => (await heightAt("processed")) >= until);
}

/** A wallet in front of its page. */
interface Seat {
  answers: () => number | null;
  /** Nothing is left to do for the page and the service until blocks have passed. */
  isIdle: boolean;
}

/** Passes blocks in leaps while all are idle, each once the pages have heard of the one before. Ends with the last seat. */
async function passBlocks(seats: ReadonlySet<Seat>): Promise<void> {
  const areIdle = () => seats.size === 0 || [...seats].every(({ isIdle }) => isIdle);
  for (;;) {
    await eventually("the chain alone has something to do", areIdle);
    if (seats.size === 0) return;
    await rpc(service, "devnet_tick", { slots: LEAP_SLOTS });
    const heard = [...seats].map((seat) => ({ seat, before: seat.answers() }));
    await eventually("the pages have heard", () =>
      heard.every(
        ({ seat, before }) => !seats.has(seat) || !seat.isIdle || seat.answers() !== before || before === null,
      ),
    );
  }
}

async function payBy(
  number: number,
  seats: Set<Seat>,
): Promise<{ readonly presses: number; readonly untrue: readonly string[] }> {
  const { what, ...way } = WAYS[number % WAYS.length]!;
  const seconds = 5 + Math.round((115 * ((number * 37) % COUNT)) / Math.max(COUNT - 1, 1));
  const seat: Seat = { answers: () => null, isIdle: false };
  let presses = 1;
  seats.add(seat);
  const buyer = await aBuyer({
    ...way,
    handle: async (bytes) => {
      if (buyer.wallet.asked.length > 1) return bytes;
      seat.isIdle = true;
      await pass(blocksIn(seconds));
      // A transaction that was never sent ends only with its blocks.
      seat.isIdle = way.sends === "silently" && presses === 1;
      return bytes;
    },
  });
  const { page, context, intent, wallet } = buyer;
  const probed = probe(page);
  seat.answers = probed.answers;
  await page.locator("#pay:not([aria-disabled=true])").click();
  await eventually(`wallet ${number}, which ${what} after ${seconds} s, has paid`, async () => {
    const shows = await probed.look();
    if (shows === null || shows === "paid") return shows;
    // On a busy machine the chain may answer too late. The page says so, and asks for the press once more.
    if (shows === "over") {
      seat.isIdle = false;
      // Whoever says that it sent sends at last.
      if (way.sends === "silently") wallet.sends = true;
      presses++;
    }
    await page.locator("#pay:not([aria-disabled=true])").click();
    return null;
  });
  seats.delete(seat);
  const payments = await paymentsOf(intent);
  await context.close();
  const lost = payments.length === 1 ? [] : [`${payments.length} payments of one order`];
  return { presses, untrue: [...probed.untrue, ...lost].map((one) => `${what} after ${seconds} s: ${one}`) };
}

test("§12.8 whatever a wallet takes, and while the chain itself changes, no page says what the chain's heights do not bear out, one press goes on, and each buyer pays once", async () => {
  const results = [];
  for (let at = 0; at < COUNT; at += TOGETHER) {
    const changed = at === CHANGE_AT && pass(blocksIn(CHANGE_SECONDS)).then(() => rpc(service, "devnet_pace", CHANGE));
    const seats = new Set<Seat>();
    const paying = Array.from({ length: TOGETHER }, (_, index) => payBy(at + index, seats));
    const [paid] = await Promise.all([Promise.all(paying), passBlocks(seats)]);
    results.push(...paid);
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
