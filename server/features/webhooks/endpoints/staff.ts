import { ActionError } from "../../../domain/actionError.ts";
import type { Tenant, Visitor } from "../../../domain/callers.ts";
import { showList, showObject } from "../../../domain/show.ts";
import { created, ok, type Route } from "../../../edge/http/route.ts";
import { memberRead, memberWrite, tenantOf } from "../../../edge/staff/route.ts";
import type { Database } from "../../../store/database.ts";
import type { Context } from "../../context.ts";
import { testEndpoint } from "../delivery/actions.ts";
import { requireEndpoint } from "../endpointQueries.ts";
import type { Resolve } from "../sending/resolver.ts";
import type { KeyRing } from "../sending/secret.ts";
import type { Endpoint } from "../webhook.ts";
import {
  addEndpoint,
  checkDestination,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  listHeld,
  rollSecret,
  updateEndpoint,
} from "./actions.ts";
import { describeState, type Held } from "./describeState.ts";
import type { IssuedEndpoint } from "./queries.ts";
import {
  ADD_ENDPOINT,
  CHANGE_ENDPOINT,
  CHECK_URL,
  DELETE_ENDPOINT,
  DISABLE_ENDPOINT,
  ENABLE_ENDPOINT,
  GET_ENDPOINT,
  LIST_ENDPOINTS,
  ROLL_SECRET,
  TEST_ENDPOINT,
} from "./schema.ts";

/** New secrets and changed URLs need a recent proof of identity. */
const FRESH = { fresh: true } as const;
const STALE = { fresh: false } as const;
const PATH = "/businesses/:business/:environment/endpoints";
const ONE = `${PATH}/:endpoint`;

/** §13.8. `ring`: the keys that encrypt signing secrets; null if this process has none. The command line calls the same functions. */
export const endpointRoutes = (
  { database, countLook }: Context,
  ring: KeyRing | null,
  resolve: Resolve,
): Route<Visitor>[] => [
  memberRead("read", PATH, LIST_ENDPOINTS, async ({ caller, params }) => {
    const tenant = tenantOf(caller, params);
    const endpoints = (await listEndpoints(database, tenant.businessId)).filter(
      ({ environment }) => environment === tenant.environment,
    );
    const held = await listHeld(database, tenant);
    return ok(showList(endpoints.map((endpoint) => showObject(describe(endpoint, held)))));
  }),
  memberRead("read", ONE, GET_ENDPOINT, async ({ caller, params }) => {
    const tenant = tenantOf(caller, params);
    return ok(await show(database, tenant, await requireEndpoint(database, tenant, params.endpoint!)));
  }),
  memberWrite(
    "manage_webhooks",
    "POST",
    `${PATH}/check`,
    CHECK_URL,
    STALE,
    async ({ caller, params, input, write }) => {
      tenantOf(caller, params);
      countLook(caller.userId);
      const checked = await checkDestination(resolve, input.url);
      return write.commit({ reply: ok(showObject({ object: "endpoint_url_check", ...checked })) });
    },
  ),
  memberWrite("manage_webhooks", "POST", PATH, ADD_ENDPOINT, FRESH, async ({ caller, params, input, write }) => {
    const tenant = tenantOf(caller, params);
    const issued = await addEndpoint(database, caller.actor, requireRing(ring), tenant, input);
    return write.commit({ reply: created(showIssued(issued)) });
  }),
  memberWrite("manage_webhooks", "PATCH", ONE, CHANGE_ENDPOINT, FRESH, async ({ caller, params, input, write }) => {
    const tenant = tenantOf(caller, params);
    const endpoint = await updateEndpoint(database, caller.actor, tenant, params.endpoint!, input);
    return write.commit({ reply: ok(await show(database, tenant, endpoint)) });
  }),
  memberWrite(
    "manage_webhooks",
    "POST",
    `${ONE}/roll`,
    ROLL_SECRET,
    FRESH,
    async ({ caller, params, input, write }) => {
      const tenant = tenantOf(caller, params);
      const { grace } = input;
      const issued = await rollSecret(database, caller.actor, requireRing(ring), tenant, params.endpoint!, grace);
      return write.commit({ reply: created(showIssued(issued, await listHeld(database, tenant))) });
    },
  ),
  memberWrite("manage_webhooks", "POST", `${ONE}/test`, TEST_ENDPOINT, STALE, async ({ caller, params, write }) => {
    const tenant = tenantOf(caller, params);
    countLook(caller.userId);
    const sent = await testEndpoint(database, caller.actor, tenant, params.endpoint!);
    const { eventId: event, attempt } = sent;
    const durationMs = attempt === null ? null : Number(attempt.took_ms);
    const { succeeded = null, status_code: statusCode = null, error = null } = attempt ?? {};
    const shown = { object: "webhook_test", event, succeeded, statusCode, error, durationMs };
    return write.commit({ reply: ok(showObject(shown)) });
  }),
  memberWrite("manage_webhooks", "POST", `${ONE}/enable`, ENABLE_ENDPOINT, STALE, async ({ caller, params, write }) => {
    const tenant = tenantOf(caller, params);
    const endpoint = await enableEndpoint(database, caller.actor, tenant, params.endpoint!);
    return write.commit({ reply: ok(await show(database, tenant, endpoint)) });
  }),
  memberWrite(
    "manage_webhooks",
    "POST",
    `${ONE}/disable`,
    DISABLE_ENDPOINT,
    STALE,
    async ({ caller, params, write }) => {
      const tenant = tenantOf(caller, params);
      const endpoint = await disableEndpoint(database, caller.actor, tenant, params.endpoint!);
      return write.commit({ reply: ok(await show(database, tenant, endpoint)) });
    },
  ),
  memberWrite("manage_webhooks", "DELETE", ONE, DELETE_ENDPOINT, FRESH, async ({ caller, params, write }) => {
    await deleteEndpoint(database, caller.actor, tenantOf(caller, params), params.endpoint!);
    return write.commit({ reply: ok(showObject({ object: "done" })) });
  }),
];

function requireRing(ring: KeyRing | null): KeyRing {
  if (ring !== null) return ring;
  throw new ActionError(
    "webhook_keys_missing",
    "This deployment has no keys to encrypt signing secrets. Its operator sets WEBHOOK_KEYS for every process.",
  );
}

const describe = (endpoint: Endpoint, held: readonly Held[]) => {
  const none = { endpointId: endpoint.id, pending: 0, oldestAt: null };
  const own = held.find(({ endpointId }) => endpointId === endpoint.id) ?? none;
  return {
    object: "webhook_endpoint",
    id: endpoint.id,
    url: endpoint.url,
    eventTypes: endpoint.eventTypes ?? ["*"],
    environment: endpoint.environment,
    status: endpoint.status,
    state: describeState(endpoint, own),
    disabledAt: endpoint.disabledAt,
    failingSince: endpoint.failingSince,
    lastError: endpoint.lastError,
    abandonedInARow: endpoint.abandonedInARow,
    pending: own.pending,
    oldestPendingAt: own.oldestAt,
    apiVersion: endpoint.apiVersion,
    secretForm: endpoint.secretForm,
    previousSecretUntil: endpoint.previousSecretUntil,
    createdAt: endpoint.createdAt,
  };
};

const show = async (database: Database, tenant: Tenant, endpoint: Endpoint) =>
  showObject(describe(endpoint, await listHeld(database, tenant)));

const showIssued = ({ endpoint, secret }: IssuedEndpoint, held: readonly Held[] = []) =>
  showObject({ ...describe(endpoint, held), secret });
