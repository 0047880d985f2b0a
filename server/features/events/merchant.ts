import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { isEventId } from "../../domain/ids.ts";
import { type JsonText, showList } from "../../domain/show.ts";
import { type Call, ok, type Reply, type Route, readRoute } from "../../edge/http/route.ts";
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
  readRoute("/events/:id", GET_EVENT, async ({ caller, params }) =>
    ok((await findOrThrow(deps, caller, params.id!)).body as JsonText),
  ),
];

async function findOrThrow(deps: EventDeps, caller: Tenant, id: string): Promise<StoredEvent> {
  const event = isEventId(id) ? await findEvent(deps.database, caller, id) : null;
  if (event === null)
    throw new ApiError("not_found", "There is no such event for this key's business and environment.");
  return event;
}

async function getEvents(deps: EventDeps, { caller, input: query }: Call<Merchant, EventQuery>): Promise<Reply> {
  const range = await findRange(deps, caller, query);
  let found = await listEvents(deps.slowDatabase, caller, query, range);
  if (found.length === 0 && query.wait > 0) found = await waitForEvents(deps, caller, query, range);
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
  if (endingBefore !== null)
    return { above: (await findOrThrow(deps, caller, endingBefore)).sequence, below: null, upward: true, limit };
  const below = startingAfter === null ? null : (await findOrThrow(deps, caller, startingAfter)).sequence;
  return { above: null, below, upward: false, limit };
}

/** Looks again at every newer event of the tenant, until one passes the filter or the time is over. */
async function waitForEvents(
  deps: EventDeps,
  caller: Merchant,
  query: EventQuery,
  range: EventRange,
): Promise<StoredEvent[]> {
  const until = performance.now() + query.wait * 1_000;
  return deps.waiting.inSlot(caller.keyId, async (wait) => {
    for (let above = BigInt(range.above!); ; ) {
      const left = until - performance.now();
      if (left <= 0) return [];
      const newest = await wait(caller, above, left);
      const found = await listEvents(deps.slowDatabase, caller, query, range);
      if (found.length > 0 || newest === null) return found;
      above = newest;
    }
  });
}
