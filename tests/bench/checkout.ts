import { readFileSync } from "node:fs";
import { type ClientRequest, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../server/store/sql.ts";
import { startOpenService } from "../faults/serviceDatabase.ts";
import { exchange } from "../harness/http.ts";
import { localChain, type RunningService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { cpuBetween, cpuMeter } from "./cpu.ts";
import { seedBusinesses } from "./seed.ts";
import { load, median } from "./startLoad.ts";

const HEADER = "X-Forwarded-For";
/** Pages of one network, as behind a mobile carrier. */
const PAGES_OF_NETWORK = 100;
const CALLS_AT_ONCE = 50;
const BUSINESSES = 1_000;
/** Wait after opening or closing pages, until the service has finished the work for them. */
const SETTLE_MS = 2_000;
/** Wait until the process has returned the memory of closed pages. */
const MEMORY_SETTLE_MS = 5_000;
const MEMORY_ROUNDS = 3;
/** The service is warm when a round is no faster than the best before it by more than this share. */
const WARM_GAIN_MAX = 0.05;
const WARM_ROUNDS_MIN = 3;
const WARM_ROUNDS_MAX = 10;

type Bench = Awaited<ReturnType<typeof startOpenService>>;

/** An intent whose page a buyer has open, and the states its stream brought, each with what is under way. */
interface OpenPage {
  readonly key: string;
  readonly id: string;
  states: { readonly state: string; readonly atMs: number }[];
  request: ClientRequest | null;
}

/** Every stream of the second part must bring exactly these states, in this order. */
const STATES = ["waiting", "waiting built", "canceled built"] as const;

/**
 * Creates a second while checkout pages are open, against creates alone; then what more pages cost in memory, and whether each
 * gets every state of its intent, and when.
 */
export async function benchCheckout(args: readonly string[]): Promise<void> {
  const [rounds = 7, seconds = 4, connections = 64, pages = 500, streams = 2_000] = args.map(Number);
  const service = await startOpenService({
    embedded: true,
    env: { ...localChain({ slotMs: 400 }), CLIENT_ADDRESS_HEADER: HEADER },
  });
  try {
    const keys = await seedBusinesses(service.database, BUSINESSES);
    if (rounds > 0) await benchCreates(service, keys, { rounds, seconds, connections, pages });
    if (streams > 0) await benchStreams(service, keys, streams);
  } finally {
    await service.remove();
  }
}

/** Creates, and the CPU of service and PostgreSQL for them. */
interface Slice {
  readonly good: number;
  readonly seconds: number;
  readonly cpuMs: number;
}

async function benchCreates(
  service: Bench,
  keys: readonly string[],
  { rounds, seconds, connections, pages }: Record<"rounds" | "seconds" | "connections" | "pages", number>,
): Promise<void> {
  const { recipient, asset, port } = service;
  const plan = {
    kind: "create",
    port,
    connections,
    durationMs: seconds * 1_000,
    ratePerSecond: null,
    ids: [],
  } as const;
  const cpu = await cpuMeter(service.process.pid!, service.database);
  let loads = 0;
  const measure = async (): Promise<Slice> => {
    const before = cpu();
    const { good, answered, seconds: took } = await load({ ...plan, keys, recipient, asset, tag: `load${++loads}` });
    if (good < answered) throw new Error(`${answered - good} of ${answered} creates were refused.`);
    const used = cpuBetween(before, cpu());
    return { good, seconds: took, cpuMs: used.service + used.postgres };
  };
  const opened = await createPages(service, keys, pages, "open");
  const measureWithPages = async (): Promise<[Slice, Slice]> => {
    await openPages(service, opened);
    await sleep(SETTLE_MS);
    const slices: [Slice, Slice] = [await measure(), await measure()];
    const lost = opened.filter(({ request }) => request!.destroyed).length;
    if (lost > 0) throw new Error(`${lost} of ${pages} pages lost their stream.`);
    closePages(opened);
    await sleep(SETTLE_MS);
    return slices;
  };
  await warm(measure);
  await measureWithPages();

  console.log(
    "| round | creates/s alone | with the pages | ratio | CPU-ms of service and PostgreSQL each, alone | with the pages | ratio |\n|---|---|---|---|---|---|---|",
  );
  const ratios: { rate: number; cpu: number }[] = [];
  for (let round = 1; round <= rounds; round++) {
    // The order is alone, with, with, alone: even changes within a round, as of the machine and the tables, affect both the
    // same.
    const first = await measure();
    const during = addSlices(...(await measureWithPages()));
    const alone = addSlices(first, await measure());
    const ratio = { rate: rateOf(during) / rateOf(alone), cpu: cpuMsOf(during) / cpuMsOf(alone) };
    ratios.push(ratio);
    const cells = [
      round,
      ...[alone, during].map((slice) => rateOf(slice).toFixed(0)),
      ratio.rate.toFixed(2),
      ...[alone, during].map((slice) => cpuMsOf(slice).toFixed(3)),
      ratio.cpu.toFixed(2),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  const [rates, cpus] = [ratios.map(({ rate }) => rate), ratios.map((one) => one.cpu)];
  console.log(
    `\nWith ${pages} open pages, median of ${rounds} rounds (lowest to highest): ${spread(rates)} of the creates, ${spread(cpus)} of the CPU for each.`,
  );
}

const addSlices = (a: Slice, b: Slice): Slice => ({
  good: a.good + b.good,
  seconds: a.seconds + b.seconds,
  cpuMs: a.cpuMs + b.cpuMs,
});
const rateOf = ({ good, seconds }: Slice): number => good / seconds;
const cpuMsOf = ({ good, cpuMs }: Slice): number => cpuMs / good;
const spread = (values: readonly number[]): string =>
  `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;

/** A service that has just started gets three times as fast within half a minute. */
async function warm(measure: () => Promise<Slice>): Promise<void> {
  let best = 0;
  for (let round = 1; round <= WARM_ROUNDS_MAX; round++) {
    const rate = rateOf(await measure());
    if (round >= WARM_ROUNDS_MIN && rate < best * (1 + WARM_GAIN_MAX)) return;
    best = Math.max(best, rate);
  }
}

async function benchStreams(service: Bench, keys: readonly string[], count: number): Promise<void> {
  const memory = async () => {
    await sleep(MEMORY_SETTLE_MS);
    return rssKib(service.process.pid!);
  };
  const pages = await createPages(service, keys, count, "streams");
  // Open pages once before, so that the first pages' lasting cost is not counted as the streams'.
  await openPages(service, pages);
  closePages(pages);
  const kib: number[] = [];
  for (let round = 1; round <= MEMORY_ROUNDS; round++) {
    const before = await memory();
    await openPages(service, pages);
    kib.push(((await memory()) - before) / count);
    if (round < MEMORY_ROUNDS) closePages(pages);
  }

  const builtAt = performance.now();
  await markBuilt(service, pages);
  const hasStates = (number: number) => () => pages.every(({ states }) => states.length >= number);
  const isIn = await eventually("each page shows what was built", hasStates(2)).catch(() => false);
  const canceledAt = new Map<OpenPage, number>();
  await inTurns(pages, async (page) => {
    canceledAt.set(page, performance.now());
    const { status } = await exchange("POST", `${service.apiUrl}/payment-intents/${page.id}/cancel`, {
      headers: [["Authorization", `Bearer ${page.key}`]],
    });
    if (status !== 200) throw new Error(`A cancel was ${status}.`);
  });
  if (isIn) await eventually("each page hears of its end", hasStates(3)).catch(() => false);
  closePages(pages);

  console.log("\n| streams | state | arrived | p50 ms | p99 ms | since |\n|---|---|---|---|---|---|");
  for (const [index, state] of STATES.entries()) {
    const arrived = pages.filter(({ states }) => states[index]?.state === state);
    const since = (page: OpenPage) => [Number.NaN, builtAt, canceledAt.get(page)!][index]!;
    const waits = arrived.map((page) => page.states[index]!.atMs - since(page)).sort((a, b) => a - b);
    const at = (share: number) => (waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN).toFixed(0);
    const after = ["the opening: not timed", "one statement that changes all of them", "its own request"][index];
    console.log(
      `| ${count} | ${state} | ${arrived.length} | ${index === 0 ? "" : at(0.5)} | ${index === 0 ? "" : at(0.99)} | ${after} |`,
    );
  }
  const exact = pages.filter(({ states }) => states.map(({ state }) => state).join() === STATES.join()).length;
  console.log(`\n${exact} of ${count} streams brought each state once and in order.`);
  console.log(`Memory of the service, median of ${MEMORY_ROUNDS} openings: ${spread(kib)} KiB a stream.`);
  if (exact < count) process.exitCode = 1;
}

/**
 * Writes the rows that another process would write when it builds a transaction for each page. The pages learn of it at the
 * next read of all attempts.
 */
const markBuilt = ({ database }: Bench, pages: readonly OpenPage[]) =>
  database.rows(sql`
    insert into checkout_attempts (business_id, intent_id, kind, id, environment, account, created_at, until)
    select business_id, id, 'built', recipient, 'test', recipient, now(), now() + interval '10 minutes'
    from intents where id = any(${pages.map(({ id }) => id)}::text[])`);

async function createPages(
  service: RunningService,
  keys: readonly string[],
  count: number,
  tag: string,
): Promise<OpenPage[]> {
  const pages: OpenPage[] = [];
  await inTurns(Array.from({ length: count }), async (_, index) => {
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
    pages.push({ key, id: made.json.id, states: [], request: null });
  });
  return pages;
}

let networks = 0;

/** Loads each page and opens its stream; done when each has its first state. */
async function openPages(service: RunningService, pages: readonly OpenPage[]): Promise<void> {
  // New networks, so that pages read in an earlier opening do not count against the limits of this one.
  const firstNetwork = networks;
  networks += Math.ceil(pages.length / PAGES_OF_NETWORK);
  await inTurns(pages, async (page, index) => {
    const network = firstNetwork + Math.floor(index / PAGES_OF_NETWORK);
    const headers = { [HEADER]: `10.0.${network >> 8}.${network & 255}` };
    const url = `${service.checkoutUrl}/pay/i/${page.id}`;
    const shown = await exchange("GET", url, { headers: Object.entries(headers) });
    if (shown.status !== 200) throw new Error(`A page was ${shown.status}.`);
    await follow(page, `${url}/events`, headers);
  });
  await eventually("each page has its first state", () => pages.every(({ states }) => states.length > 0));
}

function follow(page: OpenPage, url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const states: OpenPage["states"] = [];
  page.states = states;
  page.request = get(url, { headers, agent: false }, (answer) => {
    if (answer.statusCode !== 200) return reject(new Error(`A stream was ${answer.statusCode}.`));
    resolve();
    answer.on("error", () => undefined); // its end, which is ours
    let unread = "";
    answer.setEncoding("utf8").on("data", (chunk: string) => {
      const messages = (unread + chunk).split("\n\n");
      unread = messages.pop()!;
      for (const message of messages) {
        if (!message.startsWith("data: ")) continue; // the heartbeat, and how soon to come again
        const { state, inFlight } = JSON.parse(message.slice("data: ".length));
        states.push({ state: inFlight === null ? state : `${state} ${inFlight.kind}`, atMs: performance.now() });
      }
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
