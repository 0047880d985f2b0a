import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";
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
  /** Awaited between the look whether an order is fulfilled and its fulfilment. */
  readonly race: () => Promise<void>;
  readonly mayShip: (event: Any) => boolean | Promise<boolean>;
  readonly takesBack: (event: Any) => boolean;
  /** The answer to an event, by whether it came before. */
  readonly statusOf: (event: Any, isRepeat: boolean) => number;
  readonly workMs: number;
}

// biome-ignore lint/suspicious/noExplicitAny: an event as a handler in JavaScript reads it.
type Any = any;

const isOwn = ({ data: { object } }: Any) =>
  (object.object === "payment" ? object : object.payment)?.role === "primary";

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
  mayShip: ({ type, data: { object } }) =>
    type === "payment_intent.paid" &&
    object.payment.status === "protected" &&
    object.payment.outcome === null &&
    object.payment.refundTotal === "0",
  takesBack: (event) => event.type === "payment.refunded" && isOwn(event),
  statusOf: () => 204,
  workMs: 0,
};

/** A shop on this machine, with a mistake where the parts have one. */
export async function startShop(changes: Partial<Parts>, secrets: readonly string[]) {
  const parts = { ...GOOD, ...changes };
  const seen = new Set<string>();
  const done = new Set<string>();
  const effects = new Map<string, { fulfilled: number; refunded: number }>();
  const effectsOn = (reference: string) => {
    const found = effects.get(reference) ?? { fulfilled: 0, refunded: 0 };
    effects.set(reference, found);
    return found;
  };
  const act = async (event: Any) => {
    const { merchantReference } = event.data.object;
    if (await parts.mayShip(event)) {
      const key = `ship ${parts.keyOf(event)}`;
      if (done.has(key)) return;
      await parts.race();
      done.add(key);
      effectsOn(merchantReference).fulfilled++;
    }
    if (parts.takesBack(event)) effectsOn(merchantReference).refunded++;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    if (body.length > parts.bodyBytesMax) return void response.writeHead(413).end();
    const event = await parts.verify(body, request.headers, secrets);
    if (event === null) return void response.writeHead(400).end();
    const id = parts.idOf(event, request.headers);
    const isRepeat = seen.has(id);
    seen.add(id);
    if (!isRepeat) await act(event);
    await sleep(parts.workMs);
    response.writeHead(parts.statusOf(event, isRepeat), { Location: "/elsewhere" }).end();
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.writeHead(500).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    probe: async (reference: string): Promise<Effects> => ({ ...effectsOn(reference) }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
