import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError, invalid } from "../../domain/errors.ts";
import { isEventId } from "../../domain/ids.ts";
import type { Page } from "../../domain/page.ts";
import { type JsonText, showList } from "../../domain/show.ts";
import { checkParameters, readPage, readTimestamp } from "../../edge/http/listParameters.ts";
import { type Call, type MerchantRoute, ok, type Reply, route } from "../../edge/http/route.ts";
import type { Database } from "../../store/database.ts";
import { EVENT_GROUPS, EVENT_TYPES, EVENT_TYPES_ASKED_MAX, SEQUENCE, WAIT_SECONDS_MAX } from "./event.ts";
import type { EventWaiting } from "./longPoll.ts";
import { type EventFilter, type EventRange, findEvent, listEvents, type StoredEvent } from "./queries.ts";
import { GET_EVENT, LIST_EVENTS } from "./schema.ts";

export interface Events {
  readonly database: Database;
  readonly slowDatabase: Database;
  readonly waiting: EventWaiting;
}

/** §4.10. */
export function eventRoutes(deps: Events): MerchantRoute[] {
  return [
    route("GET", "/events", { from: "query", read: readListQuery, docs: LIST_EVENTS }, (call) =>
      readEvents(deps, call),
    ),
    route("GET", "/events/:id", { from: "query", read: () => null, docs: GET_EVENT }, async ({ caller, params }) =>
      ok((await findOrThrow(deps, caller, params.id!)).body as JsonText),
    ),
  ];
}

async function findOrThrow(deps: Events, caller: Tenant, id: string): Promise<StoredEvent> {
  const event = isEventId(id) ? await findEvent(deps.database, caller, id) : null;
  if (event === null)
    throw new ApiError("not_found", "There is no such event for this key's business and environment.");
  return event;
}

interface ListQuery {
  readonly filter: EventFilter;
  readonly page: Page;
  readonly afterSequence: string | null;
  readonly waitMs: number;
}

function readListQuery(query: URLSearchParams): ListQuery {
  checkParameters(query, LIST_EVENTS.query);
  const { types, prefixes } = readTypes(query.getAll("type"));
  const page = readPage(query);
  const afterSequence = query.get("after_sequence");
  if (afterSequence !== null && !SEQUENCE.test(afterSequence))
    throw invalid("after_sequence", "Expected a sequence: digits without leading zeros, 0 to begin.");
  if (afterSequence !== null && (page.startingAfter !== null || page.endingBefore !== null))
    throw invalid("after_sequence", "Give after_sequence, starting_after or ending_before, not two of them.");
  const waitMs = readWait(query);
  if (waitMs > 0 && afterSequence === null && page.endingBefore === null)
    throw invalid("wait", "To wait, say what for: give after_sequence or ending_before.");
  return {
    page,
    afterSequence,
    waitMs,
    filter: {
      types,
      prefixes,
      intent: query.get("intent"),
      payment: query.get("payment"),
      occurredAfter: readTimestamp(query, "occurred_after"),
      occurredBefore: readTimestamp(query, "occurred_before"),
    },
  };
}

function readTypes(given: readonly string[]): Pick<EventFilter, "types" | "prefixes"> {
  for (const type of given)
    if (!EVENT_GROUPS.includes(type) && !EVENT_TYPES.some((known) => known === type))
      throw invalid(
        "type",
        `Expected an event type such as payment.protected, or a group: ${EVENT_GROUPS.join(", ")}.`,
      );
  if (given.length > EVENT_TYPES_ASKED_MAX) throw invalid("type", `At most ${EVENT_TYPES_ASKED_MAX} types.`);
  return {
    types: given.filter((type) => !type.endsWith(".*")),
    prefixes: given.filter((type) => type.endsWith(".*")).map((type) => type.slice(0, -1)),
  };
}

function readWait(query: URLSearchParams): number {
  const text = query.get("wait");
  if (text === null) return 0;
  const seconds = /^[0-9]{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= WAIT_SECONDS_MAX)) throw invalid("wait", `Expected whole seconds from 0 to ${WAIT_SECONDS_MAX}.`);
  return seconds * 1_000;
}

async function readEvents(deps: Events, { caller, input }: Call<ListQuery>): Promise<Reply> {
  const { filter, page, waitMs } = input;
  const range = await readRange(deps, caller, input);
  let found = await listEvents(deps.slowDatabase, caller, filter, range);
  if (found.length === 0 && waitMs > 0) found = await waitForEvents(deps, caller, filter, range, waitMs);
  const hasMore = found.length > page.limit;
  const items = !hasMore ? found : range.upward ? found.slice(-page.limit) : found.slice(0, page.limit);
  return ok(
    showList(
      items.map((event) => event.body),
      hasMore,
    ),
  );
}

async function readRange(deps: Events, caller: Tenant, { page, afterSequence }: ListQuery): Promise<EventRange> {
  const { limit } = page;
  if (afterSequence !== null) return { above: afterSequence, below: null, upward: true, limit };
  if (page.endingBefore !== null)
    return { above: (await findOrThrow(deps, caller, page.endingBefore)).sequence, below: null, upward: true, limit };
  const below = page.startingAfter === null ? null : (await findOrThrow(deps, caller, page.startingAfter)).sequence;
  return { above: null, below, upward: false, limit };
}

/** Every newer event ends the wait for a look; one that the filter leaves out starts the rest of it. */
async function waitForEvents(
  deps: Events,
  caller: Merchant,
  filter: EventFilter,
  range: EventRange,
  waitMs: number,
): Promise<StoredEvent[]> {
  const until = performance.now() + waitMs;
  return deps.waiting.inPlace(caller.keyId, async (wait) => {
    for (let above = BigInt(range.above!); ; ) {
      const left = until - performance.now();
      if (left <= 0) return [];
      const newest = await wait(caller, above, left);
      const found = await listEvents(deps.slowDatabase, caller, filter, range);
      if (found.length > 0 || newest === null) return found;
      above = newest;
    }
  });
}
