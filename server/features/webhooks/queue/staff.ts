import { ActionError } from "../../../domain/actionError.ts";
import type { Member, Tenant, Visitor } from "../../../domain/callers.ts";
import { invalid } from "../../../domain/errors.ts";
import { deliveryId, isEventId, readDeliveryId } from "../../../domain/ids.ts";
import { showList, showObject } from "../../../domain/show.ts";
import { ok, type Route } from "../../../edge/http/route.ts";
import { memberRead, memberWrite, missing, tenantOf } from "../../../edge/staff/route.ts";
import type { Database } from "../../../store/database.ts";
import { requireEndpoint } from "../endpoints/actions.ts";
import { unsignedHeadersOf } from "../sending/headers.ts";
import type { Endpoint } from "../webhook.ts";
import { replayPart, resendDelivery, resendMatching, resendObject } from "./actions.ts";
import { findDelivery, type ListedDelivery, listDeliveriesOf, listDeliveriesOfEvent } from "./list.ts";
import type { ReplayFrom } from "./resends.ts";
import {
  GET_DELIVERY,
  LIST_DELIVERIES,
  LIST_DELIVERIES_OF_EVENT,
  REPLAY,
  RESEND_DELIVERY,
  RESEND_MATCHING,
  RESEND_OBJECT,
} from "./schema.ts";

export interface DeliveryStaffDeps {
  readonly database: Database;
  /** For lists. */
  readonly slowDatabase: Database;
}

const STALE = { fresh: false } as const;
const PATH = "/businesses/:business/:environment";
const ENDPOINT = `${PATH}/endpoints/:endpoint`;
const DELIVERY = `${PATH}/deliveries/:delivery`;
const RESENDS_AT_ONCE = 100;

/** §13.8. */
export const deliveryRoutes = (deps: DeliveryStaffDeps): Route<Visitor>[] => {
  const { database, slowDatabase } = deps;
  const endpointOf = (caller: Member, params: Params): Promise<Endpoint> =>
    requireEndpoint(database, tenantOf(caller, params), params.endpoint!);
  return [
    memberRead(database, "read", `${ENDPOINT}/deliveries`, LIST_DELIVERIES, async ({ caller, params, input }) => {
      const endpoint = await endpointOf(caller, params);
      const query = { ...input, startingAfter: cursorOf(endpoint, input.startingAfter) };
      const found = await listDeliveriesOf(slowDatabase, endpoint, query);
      const items = found.slice(0, input.limit).map((one) => showObject(describe(endpoint, one)));
      return ok(showList(items, found.length > input.limit));
    }),
    memberRead(
      database,
      "read",
      `${PATH}/events/:event/deliveries`,
      LIST_DELIVERIES_OF_EVENT,
      async ({ caller, params }) => {
        const tenant = tenantOf(caller, params);
        const found = isEventId(params.event!)
          ? await listDeliveriesOfEvent(slowDatabase, tenant, params.event!)
          : null;
        if (found === null) throw missing();
        const items = found.map((one) => showObject(describe({ id: one.endpoint_id }, one)));
        return ok(showList(items, false));
      },
    ),
    memberRead(database, "read", DELIVERY, GET_DELIVERY, async ({ caller, params }) => {
      const { endpoint, eventId } = await requireDelivery(deps, tenantOf(caller, params), params);
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
    memberWrite(
      database,
      "manage_webhooks",
      "POST",
      `${DELIVERY}/resend`,
      RESEND_DELIVERY,
      STALE,
      async ({ caller, params, write }) => {
        const tenant = tenantOf(caller, params);
        const { endpoint, eventId } = await requireDelivery(deps, tenant, params);
        await resendDelivery(database, caller.actor, tenant, endpoint.id, eventId);
        return write.commit({ reply: ok(showResend(1, null)) });
      },
    ),
    memberWrite(
      database,
      "manage_webhooks",
      "POST",
      `${ENDPOINT}/resend-object`,
      RESEND_OBJECT,
      STALE,
      async ({ caller, params, input, write }) => {
        const tenant = tenantOf(caller, params);
        if (input.object === null) throw invalid("object", "Required: an intent's id or a payment's address.");
        const count = await resendObject(database, caller.actor, tenant, params.endpoint!, input.object);
        return write.commit({ reply: ok(showResend(count, null)) });
      },
    ),
    memberWrite(
      database,
      "manage_webhooks",
      "POST",
      `${ENDPOINT}/resend`,
      RESEND_MATCHING,
      STALE,
      async ({ caller, params, input, write }) => {
        const endpoint = await endpointOf(caller, params);
        const query = { ...input, startingAfter: cursorOf(endpoint, input.startingAfter), limit: RESENDS_AT_ONCE };
        const part = await resendMatching(deps, caller.actor, endpoint, endpoint.id, query);
        const next = part.startingAfter === null ? null : deliveryId(part.startingAfter, endpoint.id);
        return write.commit({ reply: ok(showResend(part.count, next)) });
      },
    ),
    memberWrite(
      database,
      "manage_webhooks",
      "POST",
      `${ENDPOINT}/replay`,
      REPLAY,
      STALE,
      async ({ caller, params, input, write }) => {
        const tenant = tenantOf(caller, params);
        const upTo = input.upToSequence === null ? null : BigInt(input.upToSequence);
        const part = await replayPart(database, caller.actor, tenant, params.endpoint!, startOf(input), upTo);
        const afterSequence = part.afterSequence?.toString() ?? null;
        const upToSequence = part.upToSequence.toString();
        const shown = { resent: part.resent, made: part.made, afterSequence, upToSequence };
        return write.commit({ reply: ok(showObject({ object: "webhook_replay", ...shown })) });
      },
    ),
  ];
};

type Params = Readonly<Record<string, string>>;

/** A delivery's id names its event and its endpoint; whether there is such a delivery is not known yet. */
async function requireDelivery(
  { database }: DeliveryStaffDeps,
  tenant: Tenant,
  params: Params,
): Promise<{ endpoint: Endpoint; eventId: string }> {
  const read = readDeliveryId(params.delivery!, tenant.environment);
  if (read === null) throw new ActionError("delivery_not_found", `There is no delivery ${params.delivery}.`);
  return { endpoint: await requireEndpoint(database, tenant, read.endpointId), eventId: read.eventId };
}

/** The event of a cursor, which must be a delivery to this endpoint. */
function cursorOf({ id, environment }: Endpoint, cursor: string | null): string | null {
  if (cursor === null) return null;
  const read = readDeliveryId(cursor, environment);
  if (read?.endpointId !== id) throw missing();
  return read.eventId;
}

function startOf(input: { readonly since: Date | null; readonly afterSequence: string | null }): ReplayFrom {
  const { since, afterSequence } = input;
  if (since !== null && afterSequence === null) return { since };
  if (since === null && afterSequence !== null) return { afterSequence: BigInt(afterSequence) };
  throw invalid("since", "Give since or afterSequence, one of the two.");
}

const showResend = (count: number, startingAfter: string | null) =>
  showObject({ object: "webhook_resend", count, startingAfter });

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
