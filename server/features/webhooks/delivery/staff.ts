import { ActionError } from "../../../domain/actionError.ts";
import type { Member, Tenant, Visitor } from "../../../domain/callers.ts";
import { deliveryId, isEventId, readDeliveryId } from "../../../domain/ids.ts";
import { showPage } from "../../../domain/page.ts";
import { showList, showObject } from "../../../domain/show.ts";
import { ok, type Route } from "../../../edge/http/route.ts";
import { memberRead, missing, tenantOf } from "../../../edge/staff/route.ts";
import type { Context } from "../../context.ts";
import { requireEndpoint } from "../endpointQueries.ts";
import { unsignedHeadersOf } from "../sending/headers.ts";
import type { Endpoint } from "../webhook.ts";
import { findDelivery, type ListedDelivery, listDeliveriesOf, listDeliveriesOfEvent } from "./list.ts";
import { GET_DELIVERY, LIST_DELIVERIES, LIST_DELIVERIES_OF_EVENT } from "./schema.ts";

const PATH = "/businesses/:business/:environment";
const ENDPOINT = `${PATH}/endpoints/:endpoint`;
const DELIVERY = `${PATH}/deliveries/:delivery`;

/** §13.8. */
export const deliveryRoutes = (ctx: Context): Route<Visitor>[] => {
  const { database, slowDatabase } = ctx;
  const endpointOf = (caller: Member, params: Params): Promise<Endpoint> =>
    requireEndpoint(database, tenantOf(caller, params), params.endpoint!);
  return [
    memberRead("read", `${ENDPOINT}/deliveries`, LIST_DELIVERIES, async ({ caller, params, input }) => {
      const endpoint = await endpointOf(caller, params);
      const query = { ...input, startingAfter: cursorOf(endpoint, input.startingAfter) };
      const found = await listDeliveriesOf(slowDatabase, endpoint, query);
      return ok(showPage(found, input.limit, (one) => showObject(describe(endpoint, one))));
    }),
    memberRead("read", `${PATH}/events/:event/deliveries`, LIST_DELIVERIES_OF_EVENT, async ({ caller, params }) => {
      const tenant = tenantOf(caller, params);
      const found = isEventId(params.event!) ? await listDeliveriesOfEvent(slowDatabase, tenant, params.event!) : null;
      if (found === null) throw missing();
      const items = found.map((one) => showObject(describe({ id: one.endpoint_id }, one)));
      return ok(showList(items));
    }),
    memberRead("read", DELIVERY, GET_DELIVERY, async ({ caller, params }) => {
      const { endpoint, eventId } = await requireDelivery(ctx, tenantOf(caller, params), params);
      const found = await findDelivery(slowDatabase, endpoint, eventId);
      if (found === null) throw missing();
      const { event, delivery, attempts } = found;
      const headers = unsignedHeadersOf({
        eventId,
        type: delivery.event_type,
        sequence: event.sequence,
        apiVersion: endpoint.apiVersion,
      });
      const attemptLog = attempts.map((one) => ({
        number: one.number,
        startedAt: one.started_at,
        durationMs: Number(one.took_ms),
        succeeded: one.succeeded,
        statusCode: one.status_code,
        error: one.error,
      }));
      const sent = { url: endpoint.url, headers, body: event.body };
      return ok(showObject({ ...describe(endpoint, delivery), sent, attemptLog }));
    }),
  ];
};

type Params = Readonly<Record<string, string>>;

/** Parses a delivery's id into its event and endpoint. The delivery may not exist. */
export async function requireDelivery(
  { database }: Context,
  tenant: Tenant,
  params: Params,
): Promise<{ endpoint: Endpoint; eventId: string }> {
  const read = readDeliveryId(params.delivery!);
  if (read === null) throw new ActionError("delivery_not_found", `There is no delivery ${params.delivery}.`);
  return { endpoint: await requireEndpoint(database, tenant, read.endpointId), eventId: read.eventId };
}

/** The event of a cursor, which must be a delivery to this endpoint. */
function cursorOf({ id }: Endpoint, cursor: string | null): string | null {
  if (cursor === null) return null;
  const read = readDeliveryId(cursor);
  if (read?.endpointId !== id) throw missing();
  return read.eventId;
}

const describe = ({ id }: Pick<Endpoint, "id">, one: ListedDelivery) => ({
  object: "webhook_delivery",
  id: deliveryId(one.event_id, id),
  endpoint: id,
  event: one.event_id,
  type: one.event_type,
  status: one.status,
  attempts: one.attempts,
  statusCode: one.status_code,
  errorClass: one.error_class,
  dueAt: one.due_at,
  createdAt: one.created_at,
  finishedAt: one.finished_at,
});
