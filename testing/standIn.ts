import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type Environment, Life, type TestEvent } from "./life.ts";

type Json = Readonly<Record<string, unknown>>;
const OBJECTS_MAX = 10_000;
const TERMS = ["recipient", "amount", "asset", "protectionPeriod", "metadata", "description", "returnUrl", "locale"];
const WAIT_SECONDS_MAX = 25;

/** An object as the newest event of it shows it. `isGone`: a fork took the payment away. */
interface Kept {
  readonly sequence: number;
  readonly object: Json;
  readonly isGone: boolean;
}

/** Stands in for the API: it makes intents, and shows the newest state of those and of the payments that deliveries name. */
export class StandIn {
  readonly #environment: Environment;
  readonly #objects = new Map<string, Kept>();
  readonly #lives = new Map<string, Life>();
  readonly #stop = new AbortController();
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy());
  });

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  close(): void {
    this.#stop.abort();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The life of an order whose intent the shop has made here. */
  lifeOf = (reference: string): Life | undefined => this.#lives.get(reference);

  /** Takes over what an event says; one that is not newer changes nothing. */
  record({ type, sequence, data: { object } }: TestEvent): void {
    const at = Number(sequence ?? 0);
    if (object.object === "payment_intent") this.#keep(object, at);
    const payment = (object.object === "payment" ? object : object.payment) as Json | null | undefined;
    if (payment === null || payment === undefined) return;
    this.#keep(payment, at, type === "payment.reverted");
    const intent = this.#objects.get(String(payment.intent));
    if (intent !== undefined && payment.role === "primary" && at > intent.sequence)
      this.#keep({ ...intent.object, payment }, at);
  }

  #keep(object: Json, sequence: number, isGone = false): void {
    const id = String(object.id);
    if (sequence <= (this.#objects.get(id)?.sequence ?? -1)) return;
    if (this.#objects.size >= OBJECTS_MAX) this.#objects.delete(this.#objects.keys().next().value!);
    this.#objects.set(id, { sequence, object, isGone });
  }

  /** The newest state: of an intent with that of its payment, whichever event came first. */
  #show(id: string): Json | undefined {
    const kept = this.#objects.get(id);
    if (kept === undefined || kept.isGone) return undefined;
    const { object } = kept;
    const payment = object.payment ? this.#objects.get(String((object.payment as Json).id)) : undefined;
    if (payment === undefined) return showOpen(object);
    return payment.isGone
      ? showOpen({ ...object, status: "requires_payment", payment: null })
      : { ...object, payment: payment.object };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    const [, what, id] = /^(?:\/api\/v1)?\/([\w-]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    const isCreate = request.method === "POST" && what === "payment-intents" && id === undefined;
    const found = isCreate ? this.#create((await json(request)) as Json) : await this.#read(what, id, searchParams);
    const answer = found ?? { error: { code: "not_found", message: "The kit has no such object." } };
    const status = isCreate ? 201 : found === undefined ? 404 : 200;
    response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(answer));
  }

  /** The same reference gives the same intent, as a repeat with its Idempotency-Key does. */
  #create(body: Json): Json {
    const reference = String(body.merchantReference);
    const terms = Object.fromEntries(Object.entries(body).filter(([name]) => TERMS.includes(name)));
    const life = this.#lives.get(reference) ?? new Life(reference, this.#environment, terms);
    if (this.#lives.size >= OBJECTS_MAX) this.#lives.delete(this.#lives.keys().next().value!);
    this.#lives.set(reference, life);
    this.#keep(life.intent, 0);
    return showOpen(life.intent);
  }

  async #read(what: string | undefined, id: string | undefined, query: URLSearchParams): Promise<Json | undefined> {
    if (id !== undefined && (what === "payment-intents" || what === "payments")) return this.#show(id);
    if (id !== undefined && what === "assets")
      return {
        ...{ object: "asset", mint: id, symbol: "USDC", name: "USD Coin", decimals: 6, accepted: true, reason: null },
        tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
      };
    if (id !== undefined) return undefined;
    if (what === "me")
      return {
        ...{ object: "business", id: "biz_conform", name: "Conform", environment: this.#environment },
        apiKey: { id: "key_conform", scope: "full" },
      };
    if (what !== "events") return undefined;
    // The deliveries are the events: a reader waits as long as the API lets it, and finds none.
    const seconds = Math.min(Number(query.get("wait") ?? 0), WAIT_SECONDS_MAX);
    await sleep(seconds * 1_000, null, { signal: this.#stop.signal, ref: false });
    return { object: "list", data: [], hasMore: false, oldestSequence: null, lastSequence: null };
  }
}

/** An intent has its addresses while it is open. */
function showOpen(object: Json): Json {
  if (object.status !== "requires_payment") return object;
  const checkoutUrl = `http://localhost/pay/i/${object.id}`;
  return { ...object, checkoutUrl, x402Url: `${checkoutUrl}/x402` };
}
