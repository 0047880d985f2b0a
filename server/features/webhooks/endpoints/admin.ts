import { ENVIRONMENTS } from "../../../domain/terms.ts";
import { type AdminAnswer, type AdminCall, AdminError, parseChoice } from "../../../edge/admin.ts";
import { findNamedEndpoint } from "../endpointQueries.ts";
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

export async function add(
  { database, actor, positionals: [businessId], options }: AdminCall,
  ring: KeyRing,
): Promise<AdminAnswer> {
  if (businessId === undefined) throw new AdminError("Name the business: webhook add <business id> --url <https://…>.");
  const environment = parseChoice("environment", options.environment ?? "test", ENVIRONMENTS);
  if (typeof options.url !== "string") throw new AdminError("Specify the URL: --url https://…");
  const wanted = { url: options.url, eventTypes: readNames(options.types ?? "all") };
  return showIssued(await addEndpoint(database, actor, ring, { businessId, environment }, wanted));
}

export async function list({ database, positionals: [businessId] }: AdminCall): Promise<AdminAnswer> {
  if (businessId === undefined) throw new AdminError("Name the business: webhook list <business id>.");
  const endpoints = await listEndpoints(database, businessId);
  return {
    result: { object: "list", data: endpoints.map(show) },
    text: endpoints.length === 0 ? "No endpoints." : endpoints.map(describe).join("\n"),
  };
}

export async function update({
  database,
  actor,
  positionals,
  options: { url, types },
}: AdminCall): Promise<AdminAnswer> {
  if (url === undefined && types === undefined) throw new AdminError("Specify --url, --types or both.");
  const { tenant, id } = await findNamedEndpoint(database, positionals[0]);
  const change = {
    ...(url === undefined ? {} : { url: String(url) }),
    ...(types === undefined ? {} : { eventTypes: readNames(types) }),
  };
  return showChanged("updated", await updateEndpoint(database, actor, tenant, id, change));
}

export async function roll({ database, actor, positionals, options }: AdminCall, ring: KeyRing): Promise<AdminAnswer> {
  const grace = parseChoice("grace", options.grace ?? "24h", Object.keys(SECRET_GRACES) as SecretGrace[]);
  const { tenant, id } = await findNamedEndpoint(database, positionals[0]);
  return showIssued(await rollSecret(database, actor, ring, tenant, id, grace));
}

export async function enable({ database, actor, positionals }: AdminCall): Promise<AdminAnswer> {
  const { tenant, id } = await findNamedEndpoint(database, positionals[0]);
  return showChanged("enabled", await enableEndpoint(database, actor, tenant, id));
}

export async function disable({ database, actor, positionals }: AdminCall): Promise<AdminAnswer> {
  const { tenant, id } = await findNamedEndpoint(database, positionals[0]);
  return showChanged("disabled", await disableEndpoint(database, actor, tenant, id));
}

export async function remove({ database, actor, positionals }: AdminCall): Promise<AdminAnswer> {
  const { tenant, id } = await findNamedEndpoint(database, positionals[0]);
  await deleteEndpoint(database, actor, tenant, id);
  return { result: { object: "webhook_endpoint", id, deleted: true }, text: `Deleted ${id}.` };
}

const readNames = (text: string | boolean): string[] => String(text).split(",");

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
