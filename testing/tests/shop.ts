import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { shouldFulfill, verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";
import type { Effects } from "../index.ts";

/** The parts of a handler in which a test plants a mistake. */
export interface Parts {
  /** Returns the event, or null if it is refused. */
  readonly verify: (
    body: Buffer,
    headers: IncomingMessage["headers"],
    secrets: readonly string[],
  ) => Promise<Any | null>;
  readonly bodyBytesMax: number;
  /** The id by which a repeat of an event is known. */
  readonly idOf: (event: Any, headers: IncomingMessage["headers"]) => string;
  /** The key under which an order is fulfilled once. */
  readonly keyOf: (event: Any) => string;
  /** Awaited between the look whether an order is fulfilled and its fulfilment. `others`: the deliveries that have yet to look. */
  readonly race: (others: () => number) => Promise<void>;
  /** `others`: the events that came before, whichever order's. */
  readonly mayShip: (event: Any, others: readonly Any[]) => boolean | Promise<boolean>;
  readonly takesBack: (event: Any) => boolean;
  /** The sum that went back, from what it was and an event. */
  readonly refundedAmount: (before: string, event: Any) => string;
  readonly actsBeforeItVerifies: boolean;
  /** Answers before the event and what it does are saved. */
  readonly savesLate: boolean;
  readonly shipsOnReturn: boolean;
  /** The answer to an event, by whether it came before. */
  readonly statusOf: (event: Any, isRepeat: boolean) => number;
  readonly workMs: number;
}

// biome-ignore lint/suspicious/noExplicitAny: an event as a handler in JavaScript reads it.
type Any = any;

const isOwn = ({ data: { object } }: Any) =>
  (object.object === "payment" ? object : object.payment)?.role === "primary";

/** The time after its answer at which a handler that saves late has saved. */
const SAVED_MS = 100;

/** A handler without a mistake. */
export const GOOD: Parts = {
  verify: (body, headers, secrets) =>
    verifyWebhook(body, headers, secrets).catch((error: unknown) => {
      if (error instanceof WebhookError) return null;
      throw error;
    }),
  bodyBytesMax: 1_048_576,
  idOf: ({ id }) => id,
  keyOf: ({ data }) => data.object.id,
  race: async () => undefined,
  mayShip: (event, others) => shouldFulfill(event, { environment: "test", others }),
  takesBack: (event) => event.type === "payment.refunded" && isOwn(event),
  refundedAmount: (before, event) => {
    const { refundTotal = "0" } = event.data.object;
    return isOwn(event) && BigInt(refundTotal) > BigInt(before) ? refundTotal : before;
  },
  actsBeforeItVerifies: false,
  savesLate: false,
  shipsOnReturn: false,
  statusOf: () => 204,
  workMs: 0,
};

/** A shop on this machine, with a mistake where the parts have one. */
export async function startShop(changes: Partial<Parts>, secrets: readonly string[]) {
  const parts = { ...GOOD, ...changes };
  const seen = new Set<string>();
  const others: Any[] = [];
  const done = new Set<string>();
  const effects = new Map<string, { fulfilled: number; refunded: number; refundedAmount: string }>();
  /** Deliveries that came and have neither looked whether their order is fulfilled nor been answered. */
  const coming = new Set<ServerResponse>();
  /** The process: what it has not saved ends with it. */
  let life = new AbortController();
  const effectsOn = (reference: string) => {
    const found = effects.get(reference) ?? { fulfilled: 0, refunded: 0, refundedAmount: "0" };
    effects.set(reference, found);
    return found;
  };
  const act = async (event: Any, response: ServerResponse) => {
    const { merchantReference } = event.data.object;
    others.push(event);
    if (await parts.mayShip(event, others)) {
      const key = `ship ${parts.keyOf(event)}`;
      if (done.has(key)) return;
      coming.delete(response);
      await parts.race(() => coming.size);
      done.add(key);
      effectsOn(merchantReference).fulfilled++;
    }
    const { refundedAmount } = effectsOn(merchantReference);
    effectsOn(merchantReference).refundedAmount = parts.refundedAmount(refundedAmount, event);
    if (parts.takesBack(event)) effectsOn(merchantReference).refunded++;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const returned = /^\/thanks\?order=(.+)$/.exec(request.url!)?.[1];
    if (returned !== undefined) {
      if (parts.shipsOnReturn) effectsOn(returned).fulfilled++;
      return void response.end();
    }
    const body = await buffer(request);
    if (parts.actsBeforeItVerifies && body.length > 0) await act(JSON.parse(String(body)), response);
    if (body.length > parts.bodyBytesMax) return void response.writeHead(413).end();
    const event = await parts.verify(body, request.headers, secrets);
    if (event === null) return void response.writeHead(400).end();
    const id = parts.idOf(event, request.headers);
    const isRepeat = seen.has(id);
    seen.add(id);
    const work = async () => {
      if (!isRepeat && !parts.actsBeforeItVerifies) await act(event, response);
    };
    const { signal } = life;
    if (!parts.savesLate) await work();
    await sleep(parts.workMs);
    response.writeHead(parts.statusOf(event, isRepeat), { Location: "/elsewhere" }).end();
    if (parts.savesLate) await sleep(SAVED_MS, null, { signal }).then(work, () => seen.delete(id));
  };
  const server = createServer((request, response) => {
    coming.add(response);
    response.once("close", () => coming.delete(response));
    serve(request, response).catch(() => response.writeHead(500).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${url}/hooks`,
    returnUrl: (reference: string) => `${url}/thanks?order=${reference}`,
    restart: async () => {
      life.abort();
      life = new AbortController();
    },
    probe: async (reference: string): Promise<Effects> => ({ ...effectsOn(reference) }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
