import { isAddress } from "../domain/addresses.ts";
import { ApiError } from "../domain/errors.ts";
import { isEventId, isIntentId, readDeliveryId } from "../domain/ids.ts";
import { MinuteLimit } from "../edge/buyer/limits.ts";
import { findRecordedEvent, hasEventsOfPayment } from "../features/events/queries.ts";
import type { InspectorStaffDeps } from "../features/inspector/staff.ts";
import { findIntentByPaymentId, findIntentByReference, findIntents } from "../features/intents/queries.ts";
import { findKey } from "../features/keys/queries.ts";
import { findPayment } from "../features/payments/queries.ts";
import { type ExplainDeps, findIntentOfAddress } from "../features/recording/actions.ts";
import { findRequest } from "../features/requests/queries.ts";
import { findEndpoint } from "../features/webhooks/endpoints/queries.ts";
import { findDelivery } from "../features/webhooks/queue/list.ts";
import type { Database } from "../store/database.ts";

/** Looks at the chain, or at a server of somebody's, that one user may ask for in a minute: more than anybody needs, and no load. */
const LOOKS_PER_MINUTE = 30;

/** Throws where a user asks for too many of them. */
export function countLooks(): (userId: string) => void {
  const limit = new MinuteLimit(LOOKS_PER_MINUTE);
  return (userId) => {
    const seconds = limit.use(userId, Date.now());
    if (seconds !== null)
      throw new ApiError(
        "rate_limited",
        `More than ${LOOKS_PER_MINUTE} looks at the chain or at other servers in a minute. Wait ${seconds} seconds.`,
        {},
        { retryAfterSeconds: seconds },
      );
  };
}

interface InspectorParts extends ExplainDeps {
  readonly database: Database;
  readonly slowDatabase: Database;
  readonly countLook: (userId: string) => void;
}

/** How the inspector finds each kind of thing: by the look-ups of its feature. */
export function inspectorDeps({ database, slowDatabase: db, countLook, readerOf }: InspectorParts): InspectorStaffDeps {
  return {
    database,
    countLook,
    exists: {
      payment_intent: async (tenant, id) => isIntentId(id) && (await findIntents(db, [{ tenant, id }]))[0] !== null,
      payment: async (tenant, id) => isAddress(id) && (await findPayment(db, tenant, id)) !== null,
      event: async (tenant, id) => isEventId(id) && (await findRecordedEvent(db, tenant, id)) !== null,
      webhook_endpoint: async (tenant, id) => (await findEndpoint(db, tenant, id)) !== null,
      webhook_delivery: async (tenant, id) => {
        const read = readDeliveryId(id, tenant.environment);
        const endpoint = read === null ? null : await findEndpoint(db, tenant, read.endpointId);
        return endpoint !== null && (await findDelivery(db, endpoint, read!.eventId)) !== null;
      },
      api_key: async ({ businessId, environment }, id) =>
        (await findKey(db, businessId, id))?.environment === environment,
      request: async (tenant, id) => (await findRequest(db, tenant, id)) !== null,
    },
    hasEventsOfPayment: (tenant, address) => hasEventsOfPayment(db, tenant, address),
    findIntentByPaymentId: (tenant, paymentId) => findIntentByPaymentId(db, tenant, paymentId),
    findIntentByReference: (tenant, reference) => findIntentByReference(db, tenant, reference),
    findIntentOfAddress: (tenant, address) => findIntentOfAddress({ database: db, readerOf }, tenant, address),
  };
}
