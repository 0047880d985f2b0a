import { oneOf, TEXT, textKind } from "../../../domain/values.ts";
import {
  type AdminAnswer,
  AdminError,
  adminVerb,
  BUSINESS,
  ENVIRONMENT,
  maybe,
  option,
  withDefault,
} from "../../../edge/admin.ts";
import type { Database } from "../../../store/database.ts";
import { ENDPOINT } from "../delivery/admin.ts";
import { requireTenantOf } from "../endpointQueries.ts";
import type { KeyRing } from "../sending/secret.ts";
import { type Endpoint, SECRET_GRACES, type SecretGrace } from "../webhook.ts";
import {
  addEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  rollSecret,
  updateEndpoint,
} from "./actions.ts";
import type { IssuedEndpoint } from "./queries.ts";

const URL_OPTION = option(TEXT, "https://…");
const TYPES = option(
  textKind({}, "event types", (text): readonly string[] => text.split(",")),
  "all|a,b",
);

export const endpointVerbs = (loadRing: (database: Database) => Promise<KeyRing>) => [
  adminVerb({
    words: "webhook add",
    takes: { business: BUSINESS, url: URL_OPTION, types: withDefault(TYPES, ["all"]), environment: ENVIRONMENT },
    does: "Adds an endpoint, by default for all event types, and shows its signing secret once.",
    run: async ({ database, actor, business: businessId, environment, url, types: eventTypes }) => {
      const ring = await loadRing(database);
      return showIssued(await addEndpoint(database, actor, ring, { businessId, environment }, { url, eventTypes }));
    },
  }),
  adminVerb({
    words: "webhook list",
    takes: { business: BUSINESS },
    does: "Lists the endpoints of a business.",
    run: async ({ database, business }) => {
      const endpoints = await listEndpoints(database, business);
      const text = endpoints.map(describe).join("\n") || "No endpoints.";
      return { result: { object: "list", data: endpoints.map(show) }, text };
    },
  }),
  adminVerb({
    words: "webhook update",
    takes: { endpoint: ENDPOINT, url: maybe(URL_OPTION), types: maybe(TYPES) },
    does: "Changes the URL or the event types. The secret, pending deliveries and the failure count stay.",
    run: async ({ database, actor, endpoint: id, url, types }) => {
      if (url === null && types === null) throw new AdminError("Specify --url, --types or both.");
      const tenant = await requireTenantOf(database, id);
      const change = { ...(url !== null && { url }), ...(types !== null && { eventTypes: types }) };
      return showChanged("updated", await updateEndpoint(database, actor, tenant, id, change));
    },
  }),
  adminVerb({
    words: "webhook roll",
    takes: {
      endpoint: ENDPOINT,
      grace: withDefault(option(oneOf(Object.keys(SECRET_GRACES) as SecretGrace[])), "24h"),
    },
    does: "Issues a new signing secret. The old one stays valid for the grace period.",
    run: async ({ database, actor, endpoint: id, grace }) => {
      const [ring, tenant] = [await loadRing(database), await requireTenantOf(database, id)];
      return showIssued(await rollSecret(database, actor, ring, tenant, id, grace));
    },
  }),
  adminVerb({
    words: "webhook enable",
    takes: { endpoint: ENDPOINT },
    does: "Enables an endpoint and sends the events that were held for it.",
    run: async ({ database, actor, endpoint: id }) =>
      showChanged("enabled", await enableEndpoint(database, actor, await requireTenantOf(database, id), id)),
  }),
  adminVerb({
    words: "webhook disable",
    takes: { endpoint: ENDPOINT },
    does: "Disables an endpoint. Its events are held.",
    run: async ({ database, actor, endpoint: id }) =>
      showChanged("disabled", await disableEndpoint(database, actor, await requireTenantOf(database, id), id)),
  }),
  adminVerb({
    words: "webhook delete",
    takes: { endpoint: ENDPOINT },
    does: "Deletes an endpoint and its pending deliveries.",
    run: async ({ database, actor, endpoint: id }) => {
      await deleteEndpoint(database, actor, await requireTenantOf(database, id), id);
      return { result: { object: "webhook_endpoint", id, deleted: true }, text: `Deleted ${id}.` };
    },
  }),
];

const show = ({ eventTypes, ...endpoint }: Endpoint) => ({
  object: "webhook_endpoint",
  ...endpoint,
  eventTypes: eventTypes ?? ["*"],
});

const describe = (endpoint: Endpoint): string =>
  `${endpoint.id}  ${endpoint.environment}  ${endpoint.status}  ${endpoint.url}  ${endpoint.eventTypes?.join(",") ?? "all"}  ${endpoint.secretForm} secret`;

const showChanged = (done: string, endpoint: Endpoint): AdminAnswer => ({
  result: show(endpoint),
  text: `${done}: ${describe(endpoint)}`,
});

const showIssued = ({ endpoint, secret }: IssuedEndpoint): AdminAnswer => ({
  result: { ...show(endpoint), secret },
  text: `${describe(endpoint)}\n${secret}\nThe secret is shown only once. Store it now.${explainRoll(endpoint)}`,
});

/** The validity of the previous secrets; empty for a new endpoint. */
const explainRoll = ({ previousSecretUntil: until }: Endpoint): string =>
  until === null
    ? ""
    : `\nThe previous secret is valid until ${until.toISOString()}. Older secrets are no longer valid.`;
