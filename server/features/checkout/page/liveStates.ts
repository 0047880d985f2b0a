import type { ServerResponse } from "node:http";
import { environmentOf } from "../../../domain/ids.ts";
import { ENVIRONMENTS, type Environment } from "../../../domain/terms.ts";
import type { Log } from "../../../lib/log.ts";
import { type Loop, startLoop } from "../../../lib/loop.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import { isFinal, showState, stateOf } from "./checkout.ts";
import type { StateRows } from "./queries.ts";

/** The interval between polls of all watched intents. Changes that this process records are sent at once. */
const POLL_MS = 1_500;
/**
 * Wait at least REST_MS after a read, and REST_SHARE times as long as it took. Otherwise a business that creates
 * thousands of intents a second would have its open pages read without pause.
 */
const REST_MS = 100;
const REST_SHARE = 4;
/** Keeps proxies from closing a stream's idle connection. */
const HEARTBEAT_MS = 15_000;
const STREAMS_MAX = 5_000;
/** Streams per network, so that one client cannot use up all. A mobile carrier has many buyers behind one address. */
const STREAMS_OF_NETWORK_MAX = 500;
/** Streams per link. Further tabs poll. */
const STREAMS_OF_INTENT_MAX = 50;
const INTENTS_IN_STATEMENT_MAX = 500;
/** A stream whose reader does not keep up is closed; the page opens another. */
const UNSENT_BYTES_MAX = 16_384;

/** A state as it is sent, with its version and mark. */
interface ShownState {
  readonly text: string;
  readonly isFinal: boolean;
  /** Equal as long as nothing changes that a page shows. */
  readonly mark: string;
}

interface Watched {
  readonly businessId: string;
  readonly streams: Set<ServerResponse>;
  shown: ShownState;
}

export interface LiveStatesDeps {
  /** The states of intents of one environment, in one statement. Unknown intents are left out. */
  readonly listStates: (environment: Environment, intentIds: readonly string[]) => Promise<readonly StateFacts[]>;
  readonly log: Log;
}
export type StateFacts = StateRows & Parameters<typeof stateOf>[0];

/**
 * Follows the intents of open pages. One reader per process serves all its streams: one statement per poll, not per
 * stream, and none without a stream.
 */
export class LiveStates {
  readonly #deps: LiveStatesDeps;
  readonly #watched = new Map<string, Watched>();
  /** Reads under way: tabs that ask at the same time share one. */
  readonly #reading = new Map<string, Promise<(StateFacts & { shown: ShownState }) | null>>();
  readonly #changed = new Set<string>();
  readonly #networks = new Map<string, number>();
  /** The number of watched intents per business. */
  readonly #businesses = new Map<string, number>();
  readonly #loop: Loop;
  readonly #heart: NodeJS.Timeout;
  #streams = 0;
  #polledAt = 0;
  #restsUntil = 0;
  #wakeUp: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(deps: LiveStatesDeps) {
    this.#deps = deps;
    this.#loop = startLoop("checkout states", POLL_MS, () => this.#poll(), deps.log);
    this.#heart = setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  /** The state of an intent as JSON; null if there is no such intent. */
  async read(intentId: string): Promise<string | null> {
    return (await this.#read(intentId))?.shown.text ?? null;
  }

  /**
   * Sends the state now and at each change, until it is final. `not_found`: there is no such intent. `busy`: a limit
   * of streams is reached, so the page has to poll.
   */
  async follow(intentId: string, network: string, open: () => ServerResponse): Promise<"open" | "not_found" | "busy"> {
    const facts = await this.#read(intentId);
    if (facts === null) return "not_found";
    const known = this.#watched.get(intentId);
    const ofNetwork = this.#networks.get(network) ?? 0;
    if (this.#stopped || this.#streams >= STREAMS_MAX || ofNetwork >= STREAMS_OF_NETWORK_MAX) return "busy";
    if ((known?.streams.size ?? 0) >= STREAMS_OF_INTENT_MAX) return "busy";
    const stream = open();
    // The client left while the state was read, so no `close` event will come to free the place.
    if (stream.destroyed) return "open";
    stream.write("retry: 2000\n\n");
    send(stream, facts.shown);
    if (facts.shown.isFinal) {
      stream.end();
      return "open";
    }
    const watched = known ?? { businessId: facts.intent.businessId, streams: new Set(), shown: facts.shown };
    // Other streams of the intent that have an older state get this one at the next poll.
    if (known === undefined) count(this.#businesses, watched.businessId, 1);
    this.#watched.set(intentId, watched);
    watched.streams.add(stream);
    this.#streams++;
    count(this.#networks, network, 1);
    stream.once("close", () => {
      this.#remove(intentId, watched, stream);
      count(this.#networks, network, -1);
    });
    return "open";
  }

  /** Reads the watched intents of these businesses, at once or after the rest: something of theirs was recorded. */
  wake(businessIds: readonly string[]): void {
    const watched = businessIds.filter((id) => this.#businesses.has(id));
    for (const id of watched) this.#changed.add(id);
    if (watched.length > 0 && this.#wakeUp === null) this.#wakeAfterRest();
  }

  #wakeAfterRest(): void {
    if (this.#stopped) return;
    const run = () => {
      this.#wakeUp = null;
      // A read that began meanwhile has its own rest.
      if (performance.now() < this.#restsUntil) this.#wakeAfterRest();
      else this.#loop.wake();
    };
    this.#wakeUp = setTimeout(run, Math.max(0, this.#restsUntil - performance.now()));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#heart);
    if (this.#wakeUp !== null) clearTimeout(this.#wakeUp);
    await this.#loop.stop();
    for (const { streams } of this.#watched.values()) for (const stream of streams) stream.end();
  }

  #remove(intentId: string, watched: Watched, stream: ServerResponse): void {
    if (!watched.streams.delete(stream)) return;
    this.#streams--;
    if (watched.streams.size > 0) return;
    this.#watched.delete(intentId);
    count(this.#businesses, watched.businessId, -1);
  }

  #read(intentId: string): Promise<(StateFacts & { shown: ShownState }) | null> {
    const running = this.#reading.get(intentId);
    if (running !== undefined) return running;
    const reading = this.#deps
      .listStates(environmentOf(intentId), [intentId])
      .then(([facts]) => (facts === undefined ? null : { ...facts, shown: showFacts(facts) }))
      .finally(() => this.#reading.delete(intentId));
    this.#reading.set(intentId, reading);
    return reading;
  }

  async #poll(): Promise<boolean> {
    const startedAt = performance.now();
    this.#restsUntil = startedAt + REST_MS;
    try {
      return await this.#pollDue();
    } finally {
      const endedAt = performance.now();
      this.#restsUntil = endedAt + Math.max(REST_MS, REST_SHARE * (endedAt - startedAt));
    }
  }

  async #pollDue(): Promise<boolean> {
    const changed = new Set(this.#changed);
    this.#changed.clear();
    // When woken, read the intents of those businesses only; read all when the poll is due.
    const isDue = performance.now() - this.#polledAt >= POLL_MS - 50;
    if (isDue) this.#polledAt = performance.now();
    const due = [...this.#watched].filter(([, { businessId }]) => isDue || changed.has(businessId)).map(([id]) => id);
    for (const environment of ENVIRONMENTS) {
      const ids = due.filter((id) => environmentOf(id) === environment);
      for (let at = 0; at < ids.length; at += INTENTS_IN_STATEMENT_MAX)
        await this.#send(environment, ids.slice(at, at + INTENTS_IN_STATEMENT_MAX));
    }
    return false;
  }

  async #send(environment: Environment, ids: readonly string[]): Promise<void> {
    const all = await this.#deps.listStates(environment, ids).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailableError) return []; // The streams stay open until the next poll.
      throw error;
    });
    for (const facts of all)
      try {
        this.#sendOne(facts);
      } catch (error) {
        // A row that cannot be shown affects only its own pages.
        this.#deps.log(`The checkout of ${facts.intent.id} cannot be shown.`, error);
      }
  }

  #sendOne(facts: StateFacts): void {
    const watched = this.#watched.get(facts.intent.id);
    if (watched === undefined) return;
    const shown = showFacts(facts);
    if (watched.shown.mark === shown.mark) return;
    watched.shown = shown;
    for (const stream of watched.streams) {
      send(stream, shown);
      if (shown.isFinal) stream.end();
    }
  }

  #beat(): void {
    for (const { streams } of this.#watched.values()) for (const stream of streams) write(stream, ":\n\n");
  }
}

/** Adds to a key's count, and forgets the key at zero. */
function count(counts: Map<string, number>, key: string, by: number): void {
  const value = (counts.get(key) ?? 0) + by;
  if (value > 0) counts.set(key, value);
  else counts.delete(key);
}

function showFacts(facts: StateFacts): ShownState {
  const state = stateOf(facts);
  const { inFlight, payment, version } = facts;
  return {
    text: showState(facts, facts.at),
    isFinal: isFinal(facts),
    mark: [state, version, inFlight?.kind, inFlight?.signature, payment?.amountRefunded, payment?.refundTotal].join(),
  };
}

const send = (stream: ServerResponse, { text }: ShownState): void => write(stream, `data: ${text}\n\n`);

function write(stream: ServerResponse, text: string): void {
  if (stream.writableLength > UNSENT_BYTES_MAX) stream.destroy();
  else stream.write(text);
}
