import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { isEventId } from "../../domain/ids.ts";
import { missingCursor } from "../../domain/page.ts";
import { type JsonText, showList } from "../../domain/show.ts";
import { type Call, ok, type ReadCall, type Reply, type Route, readRoute } from "../../edge/http/route.ts";
import type { Database } from "../../store/database.ts";
import type { EventWaiting } from "./longPoll.ts";
import { type EventRange, findEvent, listEvents, type StoredEvent } from "./queries.ts";
import { type EventQuery, GET_EVENT, LIST_EVENTS } from "./schema.ts";

export interface EventDeps {
  readonly database: Database;
  readonly slowDatabase: Database;
  readonly waiting: EventWaiting;
}

/** §4.10. */
export const eventRoutes = (deps: EventDeps): Route<Merchant>[] => [
  readRoute("/events", LIST_EVENTS, (call) => getEvents(deps, call)),
  readRoute("/events/:id", GET_EVENT, (call) => getEvent(deps, call)),
];

const find = async (deps: EventDeps, caller: Tenant, id: string): Promise<StoredEvent | null> =>
  isEventId(id) ? findEvent(deps.database, caller, id) : null;

async function getEvent(deps: EventDeps, { caller, params }: Call<Merchant, null>): Promise<Reply> {
  const event = await find(deps, caller, params.id!);
  if (event === null)
    throw new ApiError(
      "not_found",
      "There is no such event for this key's business and environment. An event's id begins with evt_, and old events are deleted.",
    );
  return ok(event.body as JsonText);
}

async function getEvents(
  deps: EventDeps,
  { caller, input: query, hangUp }: ReadCall<Merchant, EventQuery>,
): Promise<Reply> {
  const range = await findRange(deps, caller, query);
  let found = await listEvents(deps.slowDatabase, caller, query, range);
  if (found.length === 0 && query.wait > 0) found = await waitForEvents(deps, caller, query, range, hangUp());
  const hasMore = found.length > query.limit;
  const items = !hasMore ? found : range.upward ? found.slice(-query.limit) : found.slice(0, query.limit);
  return ok(
    showList(
      items.map((event) => event.body),
      hasMore,
    ),
  );
}

async function findRange(deps: EventDeps, caller: Tenant, query: EventQuery): Promise<EventRange> {
  const { limit, afterSequence, startingAfter, endingBefore } = query;
  if (afterSequence !== null) return { above: afterSequence, below: null, upward: true, limit };
  const cursor = startingAfter ?? endingBefore;
  if (cursor === null) return { above: null, below: null, upward: false, limit };
  const event = await find(deps, caller, cursor);
  if (event === null) throw missingCursor(query, "an event");
  return startingAfter === null
    ? { above: event.sequence, below: null, upward: true, limit }
    : { above: null, below: event.sequence, upward: false, limit };
}

/** Looks again at every newer event of the tenant, until one passes the filter, the time is over, or the client has gone (§4.10.4). */
async function waitForEvents(
  deps: EventDeps,
  caller: Merchant,
  query: EventQuery,
  range: EventRange,
  hangUp: AbortSignal,
): Promise<StoredEvent[]> {
  const until = performance.now() + query.wait * 1_000;
  return deps.waiting.inSlot(caller.keyId, async (wait) => {
    for (let above = BigInt(range.above!); ; ) {
      const left = until - performance.now();
      if (left <= 0) return [];
      const newest = await wait(caller, above, left, hangUp);
      if (hangUp.aborted) return [];
      const found = await listEvents(deps.slowDatabase, caller, query, range);
      if (found.length > 0 || newest === null) return found;
      above = newest;
    }
  });
}
