import { ActionError, explainMissingBusiness } from "../../../domain/actionError.ts";
import type { Actor, Tenant } from "../../../domain/callers.ts";
import { ENDPOINTS_MAX } from "../../../domain/limits.ts";
import type { Database, Db } from "../../../store/database.ts";
import { recordAudit } from "../../audit/fragments.ts";
import { isChainConfigured } from "../../chains/fragments.ts";
import type { EventType } from "../../events/eventTypes.ts";
import { notifyOwners } from "../../staff/fragments.ts";
import { notifyWorkers } from "../delivery/notify.ts";
import { missingEndpoint, requireEndpoint } from "../endpointQueries.ts";
import { describeEndpoint } from "../fragments.ts";
import { DestinationError, readDestination } from "../sending/destination.ts";
import { resolveAddresses } from "../sending/guard.ts";
import { explainError } from "../sending/reasons.ts";
import type { Resolve } from "../sending/resolver.ts";
import type { KeyRing } from "../sending/secret.ts";
import { type Endpoint, EventTypeError, readEventTypes, type SecretGrace } from "../webhook.ts";
import {
  changeEndpoint,
  type IssuedEndpoint,
  insertEndpoint,
  markDisabled,
  markEnabled,
  removeEndpoint,
  replaceSecret,
} from "./queries.ts";

export { listEndpoints, listHeld } from "./queries.ts";

/** An endpoint as requested, before any check. */
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
  database: Database,
  actor: Actor,
  ring: KeyRing,
  tenant: Tenant,
  { url, eventTypes }: EndpointInput,
): Promise<IssuedEndpoint> {
  const { businessId, environment } = tenant;
  if (!(await isChainConfigured(database, environment)))
    throw new ActionError(
      "chain_not_configured",
      `No chain is configured for ${environment}; it has no events to send.`,
    );
  const checked = { url: checkUrl(url), eventTypes: checkEventTypes(eventTypes) };
  const issued = await database.transaction(async (db) => {
    const made = await insertEndpoint(db, ring, tenant, checked).catch(explainMissingBusiness(businessId));
    if (made === null) return null;
    await db.rows(recordAudit(actor, describeEndpoint("endpoint.added", made.endpoint)));
    await notifyOwners(db, actor, businessId, { notice: "endpoint_added", about: made.endpoint.url });
    return made;
  });
  if (issued === null)
    throw new ActionError(
      "endpoint_limit_reached",
      `${businessId} has ${ENDPOINTS_MAX} ${environment} endpoints. Delete or update one.`,
    );
  return issued;
}

/**
 * Changes an endpoint's URL or event types (§6.7). A member left out stays. Throws {@link ActionError}:
 * `endpoint_not_found`, `endpoint_url_invalid`, `endpoint_types_invalid`.
 */
export async function updateEndpoint(
  database: Database,
  actor: Actor,
  tenant: Tenant,
  id: string,
  { url, eventTypes }: { readonly [Name in keyof EndpointInput]?: EndpointInput[Name] | undefined },
): Promise<Endpoint> {
  const changed = await database.transaction(async (db) => {
    const endpoint = await requireEndpoint(db, tenant, id);
    const after = await changeEndpoint(db, endpoint, {
      url: url === undefined ? endpoint.url : checkUrl(url),
      eventTypes: eventTypes === undefined ? endpoint.eventTypes : checkEventTypes(eventTypes),
    });
    if (after === null) return null;
    await db.rows(recordAudit(actor, describeEndpoint("endpoint.changed", after)));
    if (url !== undefined)
      await notifyOwners(db, actor, tenant.businessId, { notice: "endpoint_moved", about: after.url });
    return after;
  });
  return announceChange(database, id, changed);
}

/** Issues a new signing secret (§6.3.5). Throws {@link ActionError}: `endpoint_not_found`. */
export async function rollSecret(
  database: Database,
  actor: Actor,
  ring: KeyRing,
  tenant: Tenant,
  id: string,
  grace: SecretGrace,
): Promise<IssuedEndpoint> {
  const issued = await database.transaction(async (db) => {
    const made = await replaceSecret(db, ring, await requireEndpoint(db, tenant, id), grace);
    if (made !== null)
      await db.rows(recordAudit(actor, describeEndpoint("endpoint.secret_rolled", made.endpoint, { grace })));
    return made;
  });
  if (issued === null) throw missingEndpoint(id);
  return issued;
}

/** Enables an endpoint and sends the deliveries held for it (§6.7.3). Throws {@link ActionError}: `endpoint_not_found`. */
export async function enableEndpoint(database: Database, actor: Actor, tenant: Tenant, id: string): Promise<Endpoint> {
  const changed = await database.transaction(async (db) => {
    const endpoint = await markEnabled(db, await requireEndpoint(db, tenant, id));
    if (endpoint !== null) await db.rows(recordAudit(actor, describeEndpoint("endpoint.enabled", endpoint)));
    return endpoint;
  });
  return announceChange(database, id, changed);
}

/** Disables an endpoint. Its events are held (§6.7.2). Throws {@link ActionError}: `endpoint_not_found`. */
export async function disableEndpoint(database: Database, actor: Actor, tenant: Tenant, id: string): Promise<Endpoint> {
  const changed = await database.transaction(async (db) => {
    const endpoint = await markDisabled(db, await requireEndpoint(db, tenant, id));
    if (endpoint !== null) await db.rows(recordAudit(actor, describeEndpoint("endpoint.disabled", endpoint)));
    return endpoint;
  });
  return announceChange(database, id, changed);
}

/** Deletes an endpoint and its unsent deliveries. Throws {@link ActionError}: `endpoint_not_found`. */
export async function deleteEndpoint(database: Database, actor: Actor, tenant: Tenant, id: string): Promise<void> {
  await database.transaction(async (db) => {
    const endpoint = await requireEndpoint(db, tenant, id);
    if (!(await removeEndpoint(db, endpoint))) throw missingEndpoint(id);
    await db.rows(recordAudit(actor, describeEndpoint("endpoint.deleted", endpoint)));
  });
}

/** Notifies the workers: the change may have made deliveries due. Null if the endpoint was deleted meanwhile. */
async function announceChange(db: Db, id: string, changed: Endpoint | null): Promise<Endpoint> {
  if (changed === null) throw missingEndpoint(id);
  await notifyWorkers(db);
  return changed;
}

/** Findings about a URL before it is added. */
export interface UrlCheck {
  /** The URL as it would be stored; null if it breaks a rule. */
  readonly url: string | null;
  readonly problem: string | null;
  /** The reason why a delivery would fail now. */
  readonly warning: string | null;
}

const RESOLVE_MS = 3_000;

/** Checks a URL by the rules of every delivery (§6.1.5) and resolves its name, as a delivery would. Opens no connection. */
export async function checkDestination(resolve: Resolve, text: string): Promise<UrlCheck> {
  try {
    const { url, name } = readDestination(text);
    const signal = AbortSignal.timeout(RESOLVE_MS);
    const warning = await resolveAddresses(resolve, name, signal).then(
      () => null,
      (error: unknown) => `Deliveries would fail now: ${explainError(error, null).text}.`,
    );
    return { url, problem: null, warning };
  } catch (error) {
    if (!(error instanceof DestinationError)) throw error;
    return { url: null, problem: error.message, warning: null };
  }
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
