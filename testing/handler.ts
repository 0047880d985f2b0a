import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { draftEvent, draftTest, type Environment, Life, type TestEvent } from "./life.ts";
import { signedHeaders } from "./signing.ts";
import { StandIn } from "./standIn.ts";

/** What the shop did for an order. */
export interface Effects {
  /** The number of times the order was fulfilled. */
  readonly fulfilled: number;
  /** The number of times the order was taken back as refunded; left out if the shop does not count that. */
  readonly refunded?: number;
  /** The sum that went back to the order's buyer, in digits; left out if the shop does not keep that. */
  readonly refundedAmount?: string;
}

/** The handler, and the ways to see what its shop does. */
export interface HandlerOptions {
  /** The address of the handler. */
  readonly url: string;
  /** The signing secret; while one is rolled, the new and the old one. */
  readonly secrets: readonly string[];
  /** Says what the shop did for the order with this reference. Without it, effects are not judged. */
  readonly probe?: ((reference: string) => Promise<Effects>) | undefined;
  /** Makes an open order in the shop, and returns its reference. Without it, references are made up. */
  readonly createOrder?: (() => Promise<string>) | undefined;
  /** A port on which the kit stands in for the API, for a shop that makes its intents there, or reads them. */
  readonly apiPort?: number | undefined;
  /** The environment in which the shop sells; `test` if left out. */
  readonly environment?: Environment | undefined;
  /** The page to which a buyer comes back, for an order and its intent. */
  readonly returnUrl?: ((reference: string, intentId: string) => string) | undefined;
  /** Kills the shop's process at once and starts it again; it resolves when the shop listens. */
  readonly restart?: (() => Promise<void>) | undefined;
  /** The time that a handler has to answer; the service's ten seconds if left out. */
  readonly answerMsMax?: number | undefined;
  /** The time that a shop has to act after its answer; three seconds if left out. */
  readonly effectMsMax?: number | undefined;
}

/** A delivery and its answer. */
export interface Exchange {
  /** The delivery as a command line, without its signatures. */
  readonly sent: string;
  /** The answer's status; null if none arrived. */
  readonly status: number | null;
  readonly ms: number;
  /** Why there is no answer. */
  readonly error: string | null;
}

/** The ways in which a delivery may differ from one that the service sends. */
export interface Changes {
  /** The body, instead of the event's JSON; it is what is signed. */
  readonly body?: string;
  /** The body that is sent, instead of the signed one. */
  readonly sentBody?: string;
  readonly secrets?: readonly string[];
  readonly at?: Date;
  /** Headers to replace; null takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sends the body in pieces, over this time. */
  readonly slowMs?: number;
}

const SHOWN_BODY_CHARACTERS_MAX = 400;
const POLL_MS = 50;
/** An effect that should not be there has this time to show itself. */
const SETTLE_MS = 250;
const SLOW_PIECES = 5;

export const isTaken = ({ status }: Exchange): boolean => status !== null && status >= 200 && status < 300;

/** The handler under test, and the shop behind it. */
export class Handler {
  readonly options: HandlerOptions;
  readonly answerMsMax: number;
  readonly environment: Environment;
  readonly standIn: StandIn;
  /** The first delivery of the service itself that had no answer in time, since this was last set to null. */
  late: Exchange | null = null;

  constructor(options: HandlerOptions) {
    this.options = options;
    this.answerMsMax = options.answerMsMax ?? 10_000;
    this.environment = options.environment ?? "test";
    this.standIn = new StandIn(this.environment);
  }

  /** A new order, with the events of its life. */
  async order(): Promise<Life> {
    const { createOrder } = this.options;
    const reference = createOrder === undefined ? `conform-${randomBytes(6).toString("hex")}` : await createOrder();
    return this.standIn.lifeOf(reference) ?? new Life(reference, this.environment);
  }

  /** An event that is of no order's life. */
  draft = (type: string, object: TestEvent["data"]["object"]): TestEvent => draftEvent(this.environment, type, object);
  draftTest = (): TestEvent => draftTest(this.environment);

  async deliver(event: TestEvent, changes: Changes = {}): Promise<Exchange> {
    this.standIn.record(event);
    const exchange = await this.#deliver(event, changes);
    if (exchange.status === null && exchange.ms >= this.answerMsMax) this.late ??= exchange;
    return exchange;
  }

  /** A delivery that the service has not sent: the API knows nothing of it. */
  forge(event: TestEvent, changes: Changes): Promise<Exchange> {
    return this.#deliver(event, changes);
  }

  #deliver(event: TestEvent, changes: Changes): Promise<Exchange> {
    const body = changes.body ?? JSON.stringify(event);
    const signed = signedHeaders(event, body, changes.secrets ?? this.options.secrets.slice(0, 1), changes.at);
    const headers = Object.fromEntries(
      Object.entries({ ...signed, ...changes.headers }).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    return this.#send(changes.sentBody ?? body, headers, changes.slowMs ?? 0);
  }

  /** Delivers events one after the other; returns the last exchange. */
  async deliverAll(events: readonly TestEvent[]): Promise<Exchange> {
    let last: Exchange | null = null;
    for (const event of events) last = await this.deliver(event);
    if (last === null) throw new Error("There is no event to deliver.");
    return last;
  }

  async #send(body: string, headers: Record<string, string>, slowMs: number): Promise<Exchange> {
    const { url } = this.options;
    return this.#ask(curlLine(url, headers, body), {
      method: "POST",
      headers,
      ...(slowMs === 0 ? { body } : { body: inPieces(body, slowMs), duplex: "half" as const }),
    });
  }

  /** Asks for the handler's headers alone. */
  head(): Promise<Exchange> {
    return this.#ask(`curl -I ${quoted(this.options.url)}`, { method: "HEAD" });
  }

  /** Comes back to the shop, as a buyer's browser does. */
  comeBack(url: string): Promise<Exchange> {
    return this.#ask(`curl -i ${quoted(url)}`, { method: "GET" }, url);
  }

  async #ask(sent: string, request: RequestInit, url = this.options.url): Promise<Exchange> {
    const startedAt = performance.now();
    const took = () => Math.round(performance.now() - startedAt);
    try {
      // As the service: a redirect is a failure, and the body of the answer is not read.
      const ends = { redirect: "manual" as const, signal: AbortSignal.timeout(this.answerMsMax) };
      const answer = await fetch(url, { ...request, ...ends });
      await answer.body?.cancel();
      return { sent, status: answer.status, ms: took(), error: null };
    } catch (error) {
      const { name, message, cause } = error as Error & { cause?: { code?: string } };
      const isLate = name === "TimeoutError";
      return { sent, status: null, ms: took(), error: isLate ? "no answer in time" : (cause?.code ?? message) };
    }
  }

  /** The effects on an order: once they are as wanted and stay so, or when the time is over. */
  async effects(reference: string, isWanted: (effects: Effects) => boolean): Promise<Effects> {
    const { probe, effectMsMax = 3_000 } = this.options;
    if (probe === undefined) throw new Error("There is no probe.");
    const endsAt = performance.now() + effectMsMax;
    let found = await probe(reference);
    while (!isWanted(found) && performance.now() < endsAt) {
      await sleep(POLL_MS);
      found = await probe(reference);
    }
    await sleep(Math.min(SETTLE_MS, effectMsMax / 5));
    return probe(reference);
  }
}

function inPieces(body: string, slowMs: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(body);
  const size = Math.ceil(bytes.length / SLOW_PIECES);
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      if (sent >= bytes.length) return controller.close();
      if (sent > 0) await sleep(slowMs / SLOW_PIECES);
      controller.enqueue(bytes.slice(sent, sent + size));
      sent += size;
    },
  });
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A signature is hidden: a report is kept in logs, and whoever has the signature could send the delivery to the handler. */
const hidden = (name: string, value: string): string =>
  /-signature$/i.test(name) ? value.replace(/[A-Za-z0-9+/]{16,}={0,2}/g, "<signature>") : value;

/** The delivery as a command line; a long body is cut. */
function curlLine(url: string, headers: Readonly<Record<string, string>>, body: string): string {
  const bytes = Buffer.byteLength(body);
  const shown =
    bytes > SHOWN_BODY_CHARACTERS_MAX ? `${body.slice(0, SHOWN_BODY_CHARACTERS_MAX)}… (${bytes} bytes)` : body;
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${hidden(name, value)}`)}`);
  return ["curl", "-i", quoted(url), ...lines, "--data-binary", quoted(shown)].join(" ");
}
