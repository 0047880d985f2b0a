import { readFileSync } from "node:fs";
import { type ClientRequest, get } from "node:http";
import { startOpenService } from "../faults/serviceDatabase.ts";
import { exchange } from "../harness/http.ts";
import type { RunningService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import type { LoadPlan } from "./load.ts";
import { seedBusinesses } from "./seed.ts";
import { load, median } from "./startLoad.ts";

const HEADER = "X-Forwarded-For";
/** Pages of one network, as behind a mobile carrier. */
const PAGES_OF_NETWORK = 100;
const CALLS_AT_ONCE = 50;
const BUSINESSES = 1_000;
/** Until memory of what has ended is given back, and a page's first look is over. */
const SETTLE_MS = 5_000;

/** A page that a buyer has open: it was loaded, and it follows its stream. */
interface OpenPage {
  readonly key: string;
  readonly id: string;
  readonly states: { readonly state: string; readonly atMs: number }[];
  request: ClientRequest | null;
}

/**
 * Creates a second while checkout pages are open, against creates alone, in turns; then what more pages cost in memory, and
 * whether each hears of its own change, and when.
 */
export async function benchCheckout(args: readonly string[]): Promise<void> {
  const [rounds = 3, seconds = 5, connections = 64, pages = 500, streams = 2_000] = args.map(Number);
  const service = await startOpenService({
    embedded: true,
    env: { LOCAL_SLOT_MS: "400", CLIENT_ADDRESS_HEADER: HEADER },
  });
  try {
    const keys = await seedBusinesses(service.database, BUSINESSES);
    const { recipient, asset, port } = service;
    const plan: Omit<LoadPlan, "tag"> = {
      kind: "create",
      port,
      connections,
      durationMs: seconds * 1_000,
      ratePerSecond: null,
      keys,
      ids: [],
      recipient,
      asset,
    };
    const rateOf = async (tag: string) => {
      const { good, seconds: took } = await load({ ...plan, tag });
      return good / took;
    };
    await rateOf("warm");
    const ratios: number[] = [];
    console.log("| round | creates/s alone | with the pages | ratio |\n|---|---|---|---|");
    for (let round = 1; round <= rounds; round++) {
      const before = await rateOf(`before${round}`);
      const open = await openPages(service, keys, pages, `round${round}`);
      const during = await rateOf(`during${round}`);
      closePages(open);
      const after = await rateOf(`after${round}`);
      // The machine's own speed changes within a minute: alone is what it was before and after.
      const alone = (before + after) / 2;
      ratios.push(during / alone);
      console.log(`| ${round} | ${alone.toFixed(0)} | ${during.toFixed(0)} | ${(during / alone).toFixed(2)} |`);
    }
    console.log(`\nMedian ratio with ${pages} open pages: ${median(ratios).toFixed(2)}.`);
    await benchStreams(service, keys, streams);
  } finally {
    await service.remove();
  }
}

async function benchStreams(
  service: RunningService & { readonly process: { readonly pid?: number | undefined } },
  keys: readonly string[],
  count: number,
): Promise<void> {
  const memory = async () => {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return rssKib(service.process.pid!);
  };
  // Once before, so that what the first pages cost for ever is not counted as the streams'.
  closePages(await openPages(service, keys, count, "first"));
  const before = await memory();
  const open = await openPages(service, keys, count, "streams");
  const after = await memory();
  const canceledAt = new Map<OpenPage, number>();
  await inTurns(open, async (page) => {
    canceledAt.set(page, performance.now());
    const { status } = await exchange("POST", `${service.apiUrl}/payment-intents/${page.id}/cancel`, {
      headers: [["Authorization", `Bearer ${page.key}`]],
    });
    if (status !== 200) throw new Error(`A cancel was ${status}.`);
  });
  const heard = () => open.filter(({ states }) => states.at(-1)?.state === "canceled");
  await eventually("every page hears of its own change", () => heard().length === count).catch(() => undefined);
  const waits = heard()
    .map((page) => page.states.at(-1)!.atMs - canceledAt.get(page)!)
    .sort((a, b) => a - b);
  const at = (share: number) => (waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN).toFixed(0);
  closePages(open);
  console.log(
    `${count} streams: ${waits.length} heard of their own change, p50 ${at(0.5)} ms and p99 ${at(0.99)} ms after it was asked for.`,
  );
  console.log(
    `Memory of the service with them ${(after / 1024).toFixed(0)} MB, before ${(before / 1024).toFixed(0)} MB: ${((after - before) / count).toFixed(1)} KiB a stream.`,
  );
}

/** Creates intents, loads the page of each and opens its stream; done when each has its first state. */
async function openPages(
  service: RunningService,
  keys: readonly string[],
  count: number,
  tag: string,
): Promise<OpenPage[]> {
  const open: OpenPage[] = Array.from({ length: count }, () => ({ key: "", id: "", states: [], request: null }));
  await inTurns(open, async (page, index) => {
    const key = keys[index % keys.length]!;
    const made = await exchange("POST", `${service.apiUrl}/payment-intents`, {
      headers: [
        ["Authorization", `Bearer ${key}`],
        ["Content-Type", "application/json"],
      ],
      body: JSON.stringify({
        recipient: service.recipient,
        amount: "5000000",
        asset: service.asset,
        protectionPeriod: "sevenDays",
        merchantReference: `${tag}-${index}`,
      }),
    });
    if (made.status !== 201) throw new Error(`A create was ${made.status}: ${made.text}`);
    Object.assign(page, { key, id: made.json.id });
    const network = Math.floor(index / PAGES_OF_NETWORK);
    const headers = { [HEADER]: `10.0.${network >> 8}.${network & 255}` };
    const url = `${service.checkoutUrl}/pay/i/${page.id}`;
    const shown = await exchange("GET", url, { headers: Object.entries(headers) });
    if (shown.status !== 200) throw new Error(`A page was ${shown.status}.`);
    await follow(page, `${url}/events`, headers);
  });
  await eventually("each page has its first state", () => open.every(({ states }) => states.length > 0));
  return open;
}

function follow(page: OpenPage, url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  page.request = get(url, { headers, agent: false }, (answer) => {
    if (answer.statusCode !== 200) return reject(new Error(`A stream was ${answer.statusCode}.`));
    resolve();
    answer.on("error", () => undefined); // its end, which is ours
    answer.setEncoding("utf8").on("data", (chunk: string) => {
      for (const [, state] of chunk.matchAll(/"state":"(\w+)"/g))
        page.states.push({ state: state!, atMs: performance.now() });
    });
  });
  page.request.on("error", reject);
  return promise;
}

function closePages(open: readonly OpenPage[]): void {
  for (const { request } of open) request?.destroy();
}

async function inTurns<Item>(items: readonly Item[], run: (item: Item, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) await run(items[index]!, index);
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker));
}

const rssKib = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN);
