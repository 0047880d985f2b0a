import type { ServerResponse } from "node:http";
import { FairPlaces } from "../../../edge/buyer/fairPlaces.ts";
import { networksOf } from "../../../edge/buyer/limits.ts";
import type { Log } from "../../../lib/log.ts";
import { type Loop, startLoop } from "../../../lib/loop.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";

/** The interval between polls of all watched objects. Changes of a business that this process records are sent at once. */
const POLL_MS = 1_500;
/**
 * Wait at least REST_MS after a read, and REST_SHARE times as long as it took. Otherwise a business that creates
 * thousands of intents a second would have its open pages read without pause.
 */
const REST_MS = 100;
const REST_SHARE = 4;
/** Keeps proxies from closing a stream's idle connection, and tells its page that it is alive. */
/** For the last bytes of a stream. */
const END_MS_MAX = 1_000;
const HEARTBEAT_MS = 15_000;
/** When all are taken, the network with the most loses one; its page opens another, or polls. */
const STREAMS_MAX = 5_000;
/** A mobile carrier has many buyers behind one address. */
const STREAMS_OF_NETWORK_MAX = 500;
/** A session that ends may be followed by a stream for this long. */
const CHECK_MS = 60_000;
const KEYS_IN_STATEMENT_MAX = 500;
/** A stream whose reader does not keep up is closed; the page opens another. */
const UNSENT_BYTES_MAX = 16_384;

/** A state as it is sent. */
interface ShownState {
  readonly text: string;
  readonly isFinal: boolean;
  /** Equal as long as nothing changes that a page shows. */
  readonly mark: string;
}

/** A state with the object it is of. */
export interface LiveState extends ShownState {
  readonly key: string;
  /** The business whose records wake its streams; null: they wait for the poll. */
  readonly businessId: string | null;
}

interface Watched {
  readonly streams: Set<ServerResponse>;
  businessId: string | null;
  shown: ShownState;
}

export interface LiveStatesDeps<Facts> {
  /** The name of its loop. */
  readonly name: string;
  /** The facts of objects by their keys. Unknown keys are left out. */
  readonly listFacts: (keys: readonly string[]) => Promise<readonly Facts[]>;
  readonly keyOf: (facts: Facts) => string;
  readonly businessOf: (facts: Facts) => string | null;
  readonly show: (facts: Facts) => ShownState;
  readonly log: Log;
  /** The time between two checks of whether a reader may still read; default a minute. */
  readonly checkMs?: number;
  /** Default {@link STREAMS_MAX}; tests have fewer. */
  readonly streamsMax?: number;
}

/**
 * Follows the objects of open pages by their keys. One reader per process serves all its streams: a statement per poll,
 * not per stream, and none without a stream.
 */
export class LiveStates<Facts> {
  readonly #deps: LiveStatesDeps<Facts>;
  readonly #watched = new Map<string, Watched>();
  /** Reads under way: tabs that ask at the same time share one. */
  readonly #reading = new Map<string, Promise<LiveState | null>>();
  readonly #changed = new Set<string>();
  readonly #places: FairPlaces;
  /** The number of watched objects per business. */
  readonly #businesses = new Map<string, number>();
  readonly #loop: Loop;
  readonly #heart: NodeJS.Timeout;
  #polledAt = 0;
  #restsUntil = 0;
  #wakeUp: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(deps: LiveStatesDeps<Facts>) {
    this.#deps = deps;
    this.#places = new FairPlaces(deps.streamsMax ?? STREAMS_MAX);
    this.#loop = startLoop(deps.name, POLL_MS, () => this.#poll(), deps.log);
    this.#heart = setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  /** The state of an object as JSON; null if there is no such object. */
  async read(key: string): Promise<string | null> {
    return (await this.#read(key))?.text ?? null;
  }

  /**
   * Sends the state now and at each change, until it is final. `not_found`: there is no such object. `busy`: a limit
   * of streams is reached, so the page has to poll. A reader that `mayRead` refuses later loses the stream.
   */
  async follow(
    key: string,
    network: string,
    open: () => ServerResponse,
    mayRead: (() => Promise<boolean>) | null = null,
  ): Promise<"open" | "not_found" | "busy"> {
    const state = await this.#read(key);
    if (state === null) return "not_found";
    const known = this.#watched.get(key);
    if (this.#stopped || this.#places.heldBy(0, network) >= STREAMS_OF_NETWORK_MAX) return "busy";
    const place: { stream?: ServerResponse } = {};
    const leave = this.#places.take({
      parties: networksOf(network),
      size: 1,
      end: () => place.stream && end(place.stream),
    });
    if (leave === null) return "busy";
    const stream = open();
    place.stream = stream;
    // The client left while the state was read, so no `close` event will come to free the place.
    if (stream.destroyed) {
      leave();
      return "open";
    }
    stream.write("retry: 2000\n\n");
    send(stream, state);
    if (state.isFinal) {
      stream.end();
      leave();
      return "open";
    }
    const watched = known ?? { businessId: state.businessId, streams: new Set(), shown: state };
    // Other streams of the object that have an older state get this one at the next poll.
    if (known === undefined) this.#countBusiness(watched, 1);
    this.#watched.set(key, watched);
    watched.streams.add(stream);
    const check = mayRead === null ? null : this.#check(stream, mayRead);
    stream.once("close", () => {
      if (check !== null) clearInterval(check);
      this.#remove(key, watched, stream);
      leave();
    });
    return "open";
  }

  /** Ends a stream once its reader may no longer read. While nobody can say, it stays open until the next check. */
  #check(stream: ServerResponse, mayRead: () => Promise<boolean>): NodeJS.Timeout {
    const { checkMs = CHECK_MS, log, name } = this.#deps;
    const check = async () => {
      try {
        if (!(await mayRead())) end(stream);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) log(`A reader of ${name} could not be checked.`, error);
      }
    };
    return setInterval(() => void check(), checkMs);
  }

  /** Reads the watched objects of these businesses, at once or after the rest: something of theirs was recorded. */
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
    for (const { streams } of this.#watched.values()) for (const stream of streams) end(stream);
  }

  #remove(key: string, watched: Watched, stream: ServerResponse): void {
    if (!watched.streams.delete(stream)) return;
    if (watched.streams.size > 0) return;
    this.#watched.delete(key);
    this.#countBusiness(watched, -1);
  }

  #countBusiness({ businessId }: Watched, by: number): void {
    if (businessId !== null) count(this.#businesses, businessId, by);
  }

  #read(key: string): Promise<LiveState | null> {
    const running = this.#reading.get(key);
    if (running !== undefined) return running;
    const reading = this.#deps
      .listFacts([key])
      .then(([facts]) => (facts === undefined ? null : this.#show(facts)))
      .finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  #show(facts: Facts): LiveState {
    const { keyOf, businessOf, show } = this.#deps;
    return { key: keyOf(facts), businessId: businessOf(facts), ...show(facts) };
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
    // When woken, read the objects of those businesses only; read all when the poll is due.
    const isDue = performance.now() - this.#polledAt >= POLL_MS - 50;
    if (isDue) this.#polledAt = performance.now();
    const isWoken = (businessId: string | null) => businessId !== null && changed.has(businessId);
    const due = [...this.#watched].filter(([, { businessId }]) => isDue || isWoken(businessId)).map(([key]) => key);
    for (let at = 0; at < due.length; at += KEYS_IN_STATEMENT_MAX)
      await this.#send(due.slice(at, at + KEYS_IN_STATEMENT_MAX));
    return false;
  }

  async #send(keys: readonly string[]): Promise<void> {
    const all = await this.#deps.listFacts(keys).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailableError) return null; // The streams stay open until the next poll.
      throw error;
    });
    if (all === null) return;
    const gone = new Set(keys);
    for (const facts of all) {
      const key = this.#deps.keyOf(facts);
      gone.delete(key);
      try {
        this.#sendOne(this.#show(facts));
      } catch (error) {
        // A row that cannot be shown affects only its own pages.
        this.#deps.log(`The state of ${key} cannot be shown.`, error);
      }
    }
    // A page of an object that is no longer there asks for it, and is told so.
    for (const key of gone) for (const stream of this.#watched.get(key)?.streams ?? []) end(stream);
  }

  #sendOne(state: LiveState): void {
    const watched = this.#watched.get(state.key);
    if (watched === undefined) return;
    if (watched.businessId !== state.businessId) {
      this.#countBusiness(watched, -1);
      watched.businessId = state.businessId;
      this.#countBusiness(watched, 1);
    }
    if (watched.shown.mark === state.mark) return;
    watched.shown = state;
    for (const stream of watched.streams) {
      send(stream, state);
      if (state.isFinal) end(stream);
    }
  }

  #beat(): void {
    for (const { streams } of this.#watched.values())
      for (const stream of streams) write(stream, "event: beat\ndata: 1\n\n");
  }
}

/** Adds to a key's count, and forgets the key at zero. */
function count(counts: Map<string, number>, key: string, by: number): void {
  const value = (counts.get(key) ?? 0) + by;
  if (value > 0) counts.set(key, value);
  else counts.delete(key);
}

const send = (stream: ServerResponse, { text }: ShownState): void => write(stream, `data: ${text}\n\n`);

function write(stream: ServerResponse, text: string): void {
  if (stream.writableEnded) return;
  if (stream.writableLength > UNSENT_BYTES_MAX) stream.destroy();
  else stream.write(text);
}

/** Ends a stream. One that cannot finish, since its client reads no more or another answer goes first, is cut off. */
function end(stream: ServerResponse): void {
  stream.end();
  const cut = setTimeout(() => stream.destroy(), END_MS_MAX);
  cut.unref();
  stream.once("close", () => clearTimeout(cut));
}
