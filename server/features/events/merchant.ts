import type { Merchant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { isEventId } from "../../domain/ids.ts";
import { missingCursor, showPage } from "../../domain/page.ts";
import { type JsonText, showText, withMembers } from "../../domain/show.ts";
import { type Call, ok, type ReadCall, type Reply, type Route, readRoute } from "../../edge/http/route.ts";
import type { Context } from "../context.ts";
import type { EventWaiting } from "./longPoll.ts";
import { type BoundedEvents, type EventRange, findEvent, findRange, listBoundedEvents, listEvents } from "./queries.ts";
import { type EventQuery, GET_EVENT, LIST_EVENTS } from "./schema.ts";

/** §4.10. */
export const eventRoutes = (ctx: Context, waiting: EventWaiting): Route<Merchant>[] => [
  readRoute("/events", LIST_EVENTS, (call) => getEvents(ctx, waiting, call)),
  readRoute("/events/:id", GET_EVENT, (call) => getEvent(ctx, call)),
];

async function getEvent(ctx: Context, { caller, params }: Call<Merchant, null>): Promise<Reply> {
  const event = isEventId(params.id!) ? await findEvent(ctx.database, caller, params.id!) : null;
  if (event === null)
    throw new ApiError(
      "not_found",
      "There is no such event for this key's business and environment. An event's id begins with evt_, and old events are deleted.",
    );
  return ok(event.body as JsonText);
}

async function getEvents(
  ctx: Context,
  waiting: EventWaiting,
  { caller, input: query, hangUp }: ReadCall<Merchant, EventQuery>,
): Promise<Reply> {
  const range = await findRange(ctx.database, caller, query);
  if (range === null) throw missingCursor(query, "an event");
  let read = await readEvents(ctx, caller, query, range);
  if (read.events.length === 0 && query.wait > 0)
    read = await waitForEvents(ctx, waiting, caller, query, { range, hangUp: hangUp() });
  const page = showPage(read.events, range.limit, ({ body }) => body, range.upward);
  if (query.afterSequence === null) return ok(page);
  return ok(withMembers(page, { oldestSequence: showText(read.oldest), lastSequence: showText(read.last) }));
}

const NOTHING: BoundedEvents = { oldest: null, last: null, events: [] };

const readEvents = async (
  { slowDatabase }: Context,
  caller: Merchant,
  query: EventQuery,
  range: EventRange,
): Promise<BoundedEvents> =>
  query.afterSequence === null
    ? { ...NOTHING, events: await listEvents(slowDatabase, caller, query, range) }
    : listBoundedEvents(slowDatabase, caller, query, range);

/**
 * Reads the newer events of the tenant after each new one, until one passes the filter, the time is over, or the
 * client has gone (§4.10.4).
 */
async function waitForEvents(
  ctx: Context,
  waiting: EventWaiting,
  caller: Merchant,
  query: EventQuery,
  { range, hangUp }: { readonly range: EventRange; readonly hangUp: AbortSignal },
): Promise<BoundedEvents> {
  const until = performance.now() + query.wait * 1_000;
  return waiting.inSlot(caller.keyId, async (wait) => {
    for (let above = BigInt(range.above!); ; ) {
      const newest = await wait(caller, above, until - performance.now(), hangUp);
      if (hangUp.aborted) return NOTHING;
      const read = await readEvents(ctx, caller, query, range);
      if (read.events.length > 0 || newest === null) return read;
      above = newest;
    }
  });
}
