import { CanceledError, EventsAheadError, EventsExpiredError } from "./errors.ts";
import type { AnyEvent } from "./events.ts";
import { type Connection, pause, send } from "./request.ts";
import type { EventList, ListEventsQuery } from "./schema.ts";

export interface FollowOptions {
  /**
   * The sequence of the last event that you have dealt with. "0": from the oldest event that is stored. Left out: from now
   * on.
   */
  readonly after?: string | undefined;
  /** Only these types, or groups such as `payment.*`; all if left out. `events.restored` always comes. */
  readonly types?: ListEventsQuery["type"];
  /** Ends the walk. */
  readonly signal?: AbortSignal | undefined;
}

/** The events, each once and in order, for as long as you read. */
export interface EventStream extends AsyncIterable<AnyEvent> {
  /** The sequence up to which nothing is left to read; null before the first answer, if no position was given. */
  readonly position: string | null;
}

/** The longest time that the service holds a request open. */
const WAIT_SECONDS = 25;
/** An answer that was due by then is not coming: the connection is dead, perhaps because this machine slept. */
const ATTEMPT_MS = (WAIT_SECONDS + 10) * 1_000;
/** If the service does not hold the request (other readers of this key have the places), ask again after this time. */
const POLL_MS = 2_000;
const PAGE_EVENTS = 100;

type Query = ListEventsQuery & { readonly afterSequence: string };
interface Page extends Omit<EventList, "data"> {
  readonly data: readonly AnyEvent[];
}

/**
 * Follows the events of the key's business and environment. It waits through outages and comes back where it was. Throws
 * {@link EventsExpiredError} if events that it has not read are deleted, and {@link EventsAheadError} if its position is
 * above the newest event.
 */
export function followEvents(connection: Connection, { after, types, signal }: FollowOptions): EventStream {
  let position = after === undefined ? null : BigInt(after);
  const given = typeof types === "string" ? [types] : (types ?? []);
  const isFiltered = given.length > 0;
  const type = isFiltered ? [...new Set([...given, "events.restored" as const])] : undefined;

  const fetchPage = async (query: Query): Promise<Page> => {
    const outgoing = { method: "GET", path: "/events", query: { ...query, type }, isPatient: true } as const;
    const options = { signal, timeoutMs: Infinity, attemptTimeoutMs: ATTEMPT_MS, maxRetries: Infinity };
    return (await send<Page>(connection, outgoing, options)).data;
  };

  async function* read(): AsyncGenerator<AnyEvent, void, undefined> {
    position ??= BigInt((await fetchPage({ afterSequence: "0", limit: 1 })).lastSequence ?? "0");
    // The first answer comes at once, to say whether the position is good.
    for (let wait = 0; ; wait = WAIT_SECONDS) {
      const askedAt = performance.now();
      const page = await fetchPage({ afterSequence: String(position), limit: PAGE_EVENTS, wait });
      checkBounds(page, position);
      for (const event of [...page.data].reverse()) {
        const sequence = BigInt(event.sequence);
        if (sequence <= position) continue;
        if (!isFiltered && position > 0n && sequence !== position + 1n && event.type !== "events.restored")
          throw new EventsExpiredError(String(position), event.sequence);
        yield event;
        position = sequence;
      }
      const last = BigInt(page.lastSequence ?? "0");
      if (!page.hasMore && last > position) position = last;
      const tookMs = performance.now() - askedAt;
      if (page.data.length === 0 && tookMs < (wait - 1) * 1_000) await pause(POLL_MS, signal);
    }
  }

  return {
    get position() {
      return position === null ? null : String(position);
    },
    async *[Symbol.asyncIterator]() {
      try {
        yield* read();
      } catch (error) {
        // The reader's own signal ends the walk.
        if (!(error instanceof CanceledError)) throw error;
      }
    },
  };
}

/** Position 0 is the oldest event that is stored, whichever it is. */
function checkBounds({ oldestSequence, lastSequence, data }: Page, position: bigint): void {
  // A service from before these members cannot tell.
  if (position === 0n || oldestSequence === undefined || lastSequence === undefined) return;
  if (BigInt(lastSequence ?? "0") < position) throw new EventsAheadError(String(position), lastSequence);
  const oldest = BigInt(oldestSequence ?? lastSequence ?? "0");
  const isExpired = oldestSequence === null ? oldest > position : oldest > position + 1n;
  // A restore leaves a gap without events: its event names it. Where an older event is stored, others before that one are deleted.
  const first = data.at(-1);
  const isGap = first?.type === "events.restored" && first.sequence === oldestSequence;
  if (isExpired && !isGap) throw new EventsExpiredError(String(position), oldestSequence);
}
