import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { pay } from "../harness/chain.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { assertSound } from "./checker.ts";
import { honest, type Lie, LyingNode } from "./lyingNode.ts";
import { awaitQuiet } from "./quiet.ts";
import type { Figures } from "./scenarios.ts";
import { StandaloneService } from "./standaloneService.ts";

const MEGABYTE = 2 ** 20;
const FAR_SLOTS = 1_000_000_000;
/** The payments of a row. A lie that withholds some has this many good ones after them. */
const PAYMENTS = 4;
const SLOWEST_MS = 30_000;

interface Row {
  readonly name: string;
  /** The number of nodes. The first lies; both do if `isEverybody`. */
  readonly nodes: 1 | 2;
  readonly isEverybody?: boolean;
  /** A new lie each time: it may remember. */
  readonly lie: () => Lie;
  /** Payments that the lie withholds, made before the others. */
  readonly withheld?: number;
  /** The number of payments that are booked while it lasts: all that it does not withhold, unless no honest node can say. */
  readonly booked?: number;
}

/** Withholds the first `count` names that this lie meets, as long as it lasts. */
function withholding(count: number): (name: string) => boolean {
  const known = new Set<string>();
  return (name) => {
    if (known.size < count) known.add(name);
    return known.has(name);
  };
}

const noTransaction = (count: number, isStatusNull = false): (() => Lie) => {
  const isWithheld = withholding(count);
  return () =>
    async ({ method, params }, ask) => {
      const [name] = params;
      if (method === "getTransaction" && isWithheld(name as string)) return { result: null };
      const answer = await ask();
      if (method !== "getSignatureStatuses" || !isStatusNull) return answer;
      const result = answer.result as { readonly context: unknown; readonly value: readonly unknown[] };
      const value = result.value.map((status, index) => (isWithheld((name as string[])[index]!) ? null : status));
      return { result: { ...result, value } };
    };
};

/** Answers like a node that is `slots` slots behind and does not say so. */
const lagging = (slots: number): Lie => {
  let head = 0;
  return async ({ method, params }, ask) => {
    const form = params.at(-1);
    const isForm = typeof form === "object" && form !== null && !Array.isArray(form);
    const { minContextSlot: _, ...rest } = isForm ? (form as Record<string, unknown>) : {};
    const { result, error } = await ask(isForm ? [...params.slice(0, -1), rest] : params);
    if (error !== undefined) return { error };
    if (method === "getSlot") head = result as number;
    if (method === "getSlot") return { result: head - slots };
    if (method === "getSignaturesForAddress")
      return { result: (result as { slot: number }[]).filter(({ slot }) => slot <= head - slots) };
    if (method === "getTransaction" && result !== null && (result as { slot: number }).slot > head - slots)
      return { result: null };
    const context = (result as { context?: { slot: number } } | null)?.context;
    return context === undefined
      ? { result }
      : { result: { ...(result as object), context: { slot: context.slot - slots } } };
  };
};

const raw = (status: number, body: string): Lie => {
  return async (_, __, response) => {
    response.writeHead(status).end(body);
    return null;
  };
};

const listsNothing =
  (): Lie =>
  async ({ method }, ask) =>
    method === "getSignaturesForAddress" ? { result: [] } : ask();

const ROWS: readonly Row[] = [
  {
    name: "A leaves two signatures out",
    nodes: 2,
    lie: () => {
      const isWithheld = withholding(2);
      return async ({ method }, ask) => {
        const { result, error } = await ask();
        if (method !== "getSignaturesForAddress" || error !== undefined) return { result, error };
        const lines = (result as { signature: string; blockTime: number }[]).toReversed();
        return { result: lines.filter(({ signature }) => !isWithheld(signature)).toReversed() };
      };
    },
  },
  { name: "A lists nothing", nodes: 2, lie: listsNothing },
  { name: "alone: lists nothing", nodes: 1, lie: listsNothing, booked: 0 },
  { name: "A is 400 slots behind and ignores minContextSlot", nodes: 2, lie: () => lagging(400) },
  {
    name: "both: no transaction for 1 whose status is known",
    nodes: 2,
    isEverybody: true,
    lie: noTransaction(1),
    withheld: 1,
  },
  { name: "both: no transaction for 24", nodes: 2, isEverybody: true, lie: noTransaction(24), withheld: 24 },
  { name: "alone: no transaction for 24", nodes: 1, lie: noTransaction(24), withheld: 24 },
  {
    name: "both: neither transaction nor status for 24",
    nodes: 2,
    isEverybody: true,
    lie: noTransaction(24, true),
    withheld: 24,
  },
  {
    name: "A names slots 10^9 ahead",
    nodes: 2,
    lie:
      () =>
      async ({ method }, ask) => {
        const { result, error } = await ask();
        return error === undefined && method === "getSlot"
          ? { result: (result as number) + FAR_SLOTS }
          : { result, error };
      },
  },
  {
    name: "A answers after 30 s",
    nodes: 2,
    lie: () => async (_, ask) => {
      await sleep(SLOWEST_MS);
      return ask();
    },
  },
  { name: "A: half a JSON", nodes: 2, lie: () => raw(200, '{"jsonrpc":"2.0","id":1,"resu') },
  { name: "A: result null", nodes: 2, lie: () => async () => ({ result: null }) },
  { name: "A: answers of 40 MB", nodes: 2, lie: () => raw(200, JSON.stringify("x".repeat(40 * MEGABYTE))) },
  {
    // A pass needs several answers in a row, so the number of booked payments is left to chance.
    name: "alone: 429 for three of four requests",
    nodes: 1,
    booked: 0,
    lie: () => {
      let count = 0;
      return (asked, ask, response) =>
        ++count % 4 === 0 ? ask() : raw(429, "too many requests")(asked, ask, response);
    },
  },
  {
    name: "A is of another chain",
    nodes: 2,
    lie:
      () =>
      async ({ method }, ask) =>
        method === "getGenesisHash" ? { result: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG" } : ask(),
  },
];

/** New lies of one node of two, by their names. */
export const LIES_OF_ONE: ReadonlyMap<string, () => Lie> = new Map(
  ROWS.filter(({ nodes, isEverybody }) => nodes === 2 && isEverybody !== true).map(({ name, lie }) => [name, lie]),
);

/** One of each kind: of the first node, of both, and of the only one. */
export const SOME_LIES = [
  "A lists nothing",
  "A is of another chain",
  "both: no transaction for 1 whose status is known",
  "alone: lists nothing",
] as const;

export interface Lies {
  /** Names of lies; null means all. */
  readonly names: readonly string[] | null;
  /** The time that a lie lasts if it keeps payments from being booked. */
  readonly lastsMs: number;
}

/**
 * Plays each lie with one node of two, with both, and with the only one. Measures the bookings meanwhile, and how soon the
 * rest is booked afterwards.
 */
export async function runLies({ names, lastsMs }: Lies): Promise<Figures> {
  const figures: Record<string, string> = {};
  for (const nodes of [2, 1] as const) {
    const liars = await Promise.all(Array.from({ length: nodes }, () => LyingNode.start()));
    const service = await StandaloneService.start({
      slotMs: 100,
      rpcUrls: (nodeUrl) =>
        liars.map((liar, index) => {
          liar.target = nodeUrl(`node-${index}`);
          return liar.url;
        }),
      chain: { sweepMs: 300 },
    });
    try {
      const shop = await newMerchant(service);
      for (const row of ROWS.filter((one) => one.nodes === nodes && (names?.includes(one.name) ?? true)))
        figures[row.name] = await runRow(row, service, shop, liars, lastsMs);
      await awaitQuiet(service);
      await assertSound(service.database, service.evidence);
    } finally {
      await service.remove();
      for (const liar of liars) await liar[Symbol.asyncDispose]();
    }
  }
  return { figures, report: null };
}

async function runRow(
  { name, isEverybody = false, lie, withheld = 0, booked }: Row,
  service: StandaloneService,
  shop: Merchant,
  liars: readonly LyingNode[],
  lastsMs: number,
): Promise<string> {
  const payMany = async (count: number): Promise<Wire[]> => {
    const intents = [];
    for (let made = 0; made < count; made++) intents.push(await shop.create());
    await Promise.all(intents.map((intent) => pay(service, intent)));
    return intents;
  };
  const countPaid = async (intents: readonly Wire[]) => {
    const statuses = await Promise.all(intents.map(async ({ id }) => (await shop.intent(id)).status));
    return statuses.filter((status) => status === "paid").length;
  };
  const requests = () => liars.reduce((sum, liar) => sum + liar.requests, 0);
  for (const liar of liars.slice(0, isEverybody ? liars.length : 1)) liar.lie = lie();
  const before = { requests: requests(), atMs: performance.now() };
  const bad = await payMany(withheld);
  const good = await payMany(PAYMENTS);
  const paidAt = performance.now();
  const expected = booked ?? PAYMENTS;
  // A lie lasts its time if it keeps payments from being booked, or withholds some.
  if (expected > 0)
    await eventually(`${name}: ${expected} are booked`, async () => (await countPaid(good)) >= expected);
  const took = performance.now() - paidAt;
  if (expected < PAYMENTS || withheld > 0) await sleep(Math.max(0, lastsMs - took));
  const meanwhile = (await countPaid(good)) + (await countPaid(bad));
  const sent = (requests() - before.requests) / ((performance.now() - before.atMs) / 1_000);
  assert.ok((await countPaid(bad)) === 0, `${name}: what is withheld is not booked`);

  for (const liar of liars) liar.lie = honest;
  const endedAt = performance.now();
  const all = [...bad, ...good];
  await eventually(`${name}: all are booked`, async () => (await countPaid(all)) === all.length);
  const after =
    all.length === meanwhile ? "" : `, the rest ${((performance.now() - endedAt) / 1_000).toFixed(1)} s after it ended`;
  const last = expected > 0 ? ` (the last after ${(took / 1_000).toFixed(1)} s)` : "";
  return `${meanwhile} of ${all.length} booked meanwhile${last}${after}; ${sent.toFixed(0)} requests a second`;
}
