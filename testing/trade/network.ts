import { setTimeout as sleep } from "node:timers/promises";
import type { TestInstance } from "../instance.ts";
import { signedHeaders } from "../signing.ts";
import { readApi, type TradedEvent } from "./api.ts";
import type { Random } from "./random.ts";
import type { TradingShop } from "./shop.ts";

/** Shares of the deliveries that the network loses, repeats, and holds back behind newer ones. */
const LOST = 0.05;
const REPEATED = 0.2;
const HELD_BACK = 0.3;
const PAGE_EVENTS = 100;
const POLL_MS = 200;
const RETRY_MS = 500;
const TRIES_MAX = 240;
const ANSWER_MS_MAX = 10_000;

export interface Network {
  /** The number of deliveries that were sent, lost ones not counted. */
  readonly delivered: number;
  /** Delivers what is held back, and ends once every event up to now was delivered or lost. */
  finish(): Promise<void>;
}

/** Brings the events to the shop as a careless network does: late, twice, in another order, or never. */
export function startNetwork(holdfast: TestInstance, shop: TradingShop, random: Random): Network {
  const ending = new AbortController();
  const held: TradedEvent[] = [];
  let [position, delivered] = ["0", 0];
  const deliver = async (event: TradedEvent) => {
    const body = JSON.stringify(event);
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const request = { method: "POST", body, headers: signedHeaders(event, body, shop.secret) };
      const answer = await fetch(shop.webhookUrl, { ...request, signal: AbortSignal.timeout(ANSWER_MS_MAX) }).catch(
        () => null, // The shop is being restarted: the service would try again later.
      );
      if (answer?.ok) return void delivered++;
      await sleep(RETRY_MS);
    }
    throw new Error(`The shop did not take ${event.type} ${event.id} in ${TRIES_MAX} tries.`);
  };
  const bring = async (event: TradedEvent) => {
    if (random.chance(LOST)) return;
    const times = random.chance(REPEATED) ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => deliver(event)));
  };
  const readPage = async () => {
    const path = `/events?after_sequence=${position}&limit=${PAGE_EVENTS}`;
    // The service may be restarted at this moment.
    const { data } = await readApi<{ data: TradedEvent[] }>(holdfast, path).catch(() => ({ data: [] }));
    const events = data.reverse();
    position = events.at(-1)?.sequence ?? position;
    return events;
  };
  const run = async () => {
    for (;;) {
      const isEnding = ending.signal.aborted;
      const events = await readPage();
      for (const event of events) {
        if (random.chance(HELD_BACK)) held.push(event);
        else await bring(event);
        if (held.length > 0 && random.chance(HELD_BACK)) await bring(held.shift()!);
      }
      if (events.length > 0) continue;
      for (const event of held.splice(0).reverse()) await bring(event);
      if (isEnding) return;
      await sleep(POLL_MS);
    }
  };
  const ended = run();
  ended.catch(() => undefined);
  return {
    get delivered() {
      return delivered;
    },
    finish: () => {
      ending.abort();
      return ended;
    },
  };
}
