import { isAddress } from "../../domain/addresses.ts";
import type { Member, Tenant, Visitor } from "../../domain/callers.ts";
import { invalid } from "../../domain/errors.ts";
import { isEventId, isIntentId, readDeliveryId } from "../../domain/ids.ts";
import { showObject } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { memberWrite, missing, STALE, tenantOf } from "../../edge/staff/route.ts";
import type { Context } from "../../features/context.ts";
import { findRecordedEvent, hasEventsOfPayment } from "../../features/events/queries.ts";
import { findIntentByPaymentId, findIntentByReference, findIntents } from "../../features/intents/queries.ts";
import { findKey } from "../../features/keys/queries.ts";
import { findPayment } from "../../features/payments/queries.ts";
import { hasPaymentsOfSender } from "../../features/payments/staffQueries.ts";
import { findRequest } from "../../features/requests/queries.ts";
import { findDelivery } from "../../features/webhooks/delivery/list.ts";
import { findEndpoint } from "../../features/webhooks/endpointQueries.ts";
import type { Db } from "../../store/database.ts";
import { findIntentOfAddress } from "../transaction/explain.ts";
import { type FoundKind, type Pasted, readPasted } from "./inspector.ts";
import { INSPECT } from "./schema.ts";

interface Found {
  readonly kind: FoundKind;
  readonly id: string;
}

/** The look-ups of the features, by kind. A transaction has none: its own page reads the chain. */
const EXISTS: Readonly<
  Record<Exclude<FoundKind, "transaction" | "sender">, (db: Db, tenant: Tenant, id: string) => Promise<boolean>>
> = {
  payment_intent: async (db, tenant, id) => isIntentId(id) && (await findIntents(db, [{ tenant, id }]))[0] !== null,
  payment: async (db, tenant, id) => isAddress(id) && (await findPayment(db, tenant, id)) !== null,
  event: async (db, tenant, id) => isEventId(id) && (await findRecordedEvent(db, tenant, id)) !== null,
  webhook_endpoint: async (db, tenant, id) => (await findEndpoint(db, tenant, id)) !== null,
  webhook_delivery: async (db, tenant, id) => {
    const read = readDeliveryId(id);
    const endpoint = read === null ? null : await findEndpoint(db, tenant, read.endpointId);
    return endpoint !== null && (await findDelivery(db, endpoint, read!.eventId)) !== null;
  },
  api_key: async (db, { businessId, environment }, id) =>
    (await findKey(db, businessId, id))?.environment === environment,
  request: async (db, tenant, id) => (await findRequest(db, tenant, id)) !== null,
};

/** §13.13. */
export const inspectorRoutes = (ctx: Context): Route<Visitor>[] => [
  memberWrite("read", "POST", `${IN_TENANT}/inspections`, INSPECT, STALE, async ({ caller, params, input }) => {
    const found = await find(ctx, caller, tenantOf(caller, params), readPasted(input.text));
    if (found === null) throw missing();
    return ok(showObject({ object: "inspection", ...found }));
  }),
];

async function find(ctx: Context, { userId }: Member, tenant: Tenant, pasted: Pasted): Promise<Found | null> {
  const { slowDatabase: db, countLook } = ctx;
  const { form, text } = pasted;
  const intent = (id: string | null): Found | null => (id === null ? null : { kind: "payment_intent", id });
  switch (form) {
    case "secret":
      throw invalid(
        "text",
        "This is a secret, so it was not searched for. Do not paste it; the ID of a key begins with key_.",
      );
    case "nothing":
      return null;
    case "transaction":
      return { kind: "transaction", id: text };
    case "reference":
      return intent(await findIntentByReference(db, tenant, text));
    case "payment_id":
      return intent((await findIntentByPaymentId(db, tenant, text)) ?? (await findIntentByReference(db, tenant, text)));
    case "address": {
      // If the payment is no longer bound, or never was, only its events prove that it existed.
      const isPayment = (await EXISTS.payment(db, tenant, text)) || (await hasEventsOfPayment(db, tenant, text));
      if (isPayment) return { kind: "payment", id: text };
      if (await hasPaymentsOfSender(db, tenant, text)) return { kind: "sender", id: text };
      countLook(userId);
      return intent(await findIntentOfAddress({ ...ctx, database: db }, tenant, text));
    }
    default:
      return (await EXISTS[form](db, tenant, text)) ? { kind: form, id: text } : null;
  }
}
