import type { Tenant, Visitor } from "../../domain/callers.ts";
import { showPage } from "../../domain/page.ts";
import { showObject } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { MERCHANT_PREFIX } from "../../edge/merchant/description.ts";
import { memberRead, missing, tenantOf } from "../../edge/staff/route.ts";
import type { Db } from "../../store/database.ts";
import type { Context } from "../context.ts";
import { requestsAround } from "../requests/fragments.ts";
import { summarizeEvent } from "./event.ts";
import { findRange, findRecordedEvent, listEvents, type RecordedEvent } from "./queries.ts";
import { EVENT_DETAILS, GET_STAFF_EVENT, LIST_STAFF_EVENTS } from "./staffSchema.ts";

const PATH = "/businesses/:business/:environment/events";

/** §13.10. */
export const staffEventRoutes = ({ slowDatabase }: Context): Route<Visitor>[] => [
  memberRead("read", PATH, LIST_STAFF_EVENTS, async ({ caller, params, input }) => {
    const tenant = tenantOf(caller, params);
    const range = await findRange(slowDatabase, tenant, input);
    if (range === null) throw missing();
    const found = await listEvents(slowDatabase, tenant, input, range);
    return ok(showPage(found, range.limit, ({ body }) => showObject(summarizeEvent(body)), range.upward));
  }),
  memberRead("read", `${PATH}/:event`, GET_STAFF_EVENT, async ({ caller, params }) => {
    const tenant = tenantOf(caller, params);
    const found = await findRecordedEvent(slowDatabase, tenant, params.event!);
    if (found === null) throw missing();
    const { body } = found;
    const request = await findCause(slowDatabase, tenant, found);
    return ok(showObject(EVENT_DETAILS.show({ event: summarizeEvent(body), body, request })));
  }),
];

/** Changes that only a request can make, each with the request's path below the intents. */
const CAUSES: Readonly<Partial<Record<RecordedEvent["type"], (intentId: string) => string>>> = {
  "payment_intent.created": () => "",
  "payment_intent.canceled": (intentId) => `/${intentId}/cancel`,
};

/** The Request-Id of the request that made the change; null if it is unknown or no longer stored. */
async function findCause(db: Db, tenant: Tenant, event: RecordedEvent): Promise<string | null> {
  const { type, intentId, recordedAt } = event;
  const below = CAUSES[type];
  if (below === undefined || intentId === null) return null;
  // An intent's id is unknown before its creation, so the first request about it is the creation.
  const isFirst = type === "payment_intent.created";
  const found = await db.rows<{ id: string; path: string }>(requestsAround(tenant, intentId, recordedAt, isFirst));
  const path = `${MERCHANT_PREFIX}/payment-intents${below(intentId)}`;
  return found.find((one) => one.path.split("?", 1)[0] === path)?.id ?? null;
}
