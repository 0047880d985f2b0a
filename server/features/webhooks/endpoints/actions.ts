import { ActionError } from "../../../domain/actionError.ts";
import type { Tenant } from "../../../domain/callers.ts";
import { ENDPOINTS_MAX } from "../../../domain/limits.ts";
import type { Database, Db } from "../../../store/database.ts";
import { explainMissingBusiness } from "../../businesses/fragments.ts";
import { isChainConfigured } from "../../chains/fragments.ts";
import type { EventType } from "../../events/event.ts";
import { notifyWorkers } from "../queue/notify.ts";
import { DestinationError, readDestination } from "../sending/destination.ts";
import { type Endpoint, EventTypeError, readEventTypes, type SecretGrace } from "../webhook.ts";
import {
  changeEndpoint,
  findEndpoint,
  type IssuedEndpoint,
  insertEndpoint,
  markDisabled,
  markEnabled,
  removeEndpoint,
  replaceSecret,
} from "./queries.ts";
import type { KeyRing } from "./secret.ts";

export { listEndpoints } from "./queries.ts";

/** An endpoint as a person asks for it, not yet checked. */
export interface EndpointInput {
  readonly url: string;
  /** Names of event types; `all` or `*` alone stands for every type. */
  readonly eventTypes: readonly string[];
}

/**
 * Adds an endpoint (§6.1). Throws {@link ActionError}: `chain_not_configured`, `endpoint_url_invalid`,
 * `endpoint_types_invalid`, `business_not_found`, `endpoint_limit_reached`.
 */
export async function addEndpoint(
  db: Db,
  ring: KeyRing,
  tenant: Tenant,
  { url, eventTypes }: EndpointInput,
): Promise<IssuedEndpoint> {
  const { businessId, environment } = tenant;
  if (!(await isChainConfigured(db, environment)))
    throw new ActionError(
      "chain_not_configured",
      `No chain is configured for ${environment}; it has no events to send.`,
    );
  const checked = { url: checkUrl(url), eventTypes: checkEventTypes(eventTypes) };
  const issued = await insertEndpoint(db, ring, tenant, checked).catch(explainMissingBusiness(businessId));
  if (issued === null)
    throw new ActionError(
      "endpoint_limit_reached",
      `${businessId} has ${ENDPOINTS_MAX} ${environment} endpoints. Delete or update one.`,
    );
  return issued;
}

/**
 * Changes where events go, or which (§6.7); what is left out stays. Throws {@link ActionError}: `endpoint_not_found`,
 * `endpoint_url_invalid`, `endpoint_types_invalid`.
 */
export async function updateEndpoint(
  db: Db,
  tenant: Tenant,
  id: string,
  { url, eventTypes }: Partial<EndpointInput>,
): Promise<Endpoint> {
  const endpoint = await requireEndpoint(db, tenant, id);
  const changed = await changeEndpoint(db, endpoint, {
    url: url === undefined ? endpoint.url : checkUrl(url),
    eventTypes: eventTypes === undefined ? endpoint.eventTypes : checkEventTypes(eventTypes),
  });
  return announceChange(db, id, changed);
}

/** Issues a new signing secret (§6.3.5). Throws {@link ActionError}: `endpoint_not_found`. */
export async function rollSecret(
  db: Db,
  ring: KeyRing,
  tenant: Tenant,
  id: string,
  grace: SecretGrace,
): Promise<IssuedEndpoint> {
  const issued = await replaceSecret(db, ring, await requireEndpoint(db, tenant, id), grace);
  if (issued === null) throw missingEndpoint(id);
  return issued;
}

/** Enables an endpoint, and what was held for it is sent (§6.7.3). Throws {@link ActionError}: `endpoint_not_found`. */
export async function enableEndpoint(database: Database, tenant: Tenant, id: string): Promise<Endpoint> {
  return announceChange(database, id, await markEnabled(database, await requireEndpoint(database, tenant, id)));
}

/** Disables an endpoint, and its events are held (§6.7.2). Throws {@link ActionError}: `endpoint_not_found`. */
export async function disableEndpoint(db: Db, tenant: Tenant, id: string): Promise<Endpoint> {
  return announceChange(db, id, await markDisabled(db, await requireEndpoint(db, tenant, id)));
}

/** Deletes an endpoint and what was still to be sent to it. Throws {@link ActionError}: `endpoint_not_found`. */
export async function deleteEndpoint(db: Db, tenant: Tenant, id: string): Promise<void> {
  if (!(await removeEndpoint(db, await requireEndpoint(db, tenant, id)))) throw missingEndpoint(id);
}

/** The tenant's endpoint. Throws {@link ActionError}: `endpoint_not_found`. */
export async function requireEndpoint(db: Db, tenant: Tenant, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(db, tenant, id);
  if (endpoint === null) throw missingEndpoint(id);
  return endpoint;
}

export const missingEndpoint = (id: string) => new ActionError("endpoint_not_found", `There is no endpoint ${id}.`);

/** The change may have made deliveries due. Null: the endpoint was deleted meanwhile. */
async function announceChange(db: Db, id: string, changed: Endpoint | null): Promise<Endpoint> {
  if (changed === null) throw missingEndpoint(id);
  await notifyWorkers(db);
  return changed;
}

function checkUrl(text: string): string {
  try {
    return readDestination(text).url;
  } catch (error) {
    throw error instanceof DestinationError ? new ActionError("endpoint_url_invalid", error.message) : error;
  }
}

function checkEventTypes(names: readonly string[]): EventType[] | null {
  try {
    return readEventTypes(names);
  } catch (error) {
    throw error instanceof EventTypeError ? new ActionError("endpoint_types_invalid", error.message) : error;
  }
}
