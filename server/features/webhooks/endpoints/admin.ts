import { ENDPOINTS_MAX } from "../../../domain/limits.ts";
import { ENVIRONMENTS } from "../../../domain/terms.ts";
import { type AdminAnswer, type AdminCall, AdminError, readChoice, refuseNoBusiness } from "../../../edge/admin.ts";
import { isChainConfigured } from "../../chains/fragments.ts";
import { notifyWorkers } from "../queue/notify.ts";
import { type Endpoint, SECRET_GRACES, type SecretGrace } from "../webhook.ts";
import { describe, endpointOf, noEndpoint, readTypes, readUrl, show, showIssued } from "./adminInput.ts";
import { addEndpoint, deleteEndpoint, listEndpoints, rollSecret, updateEndpoint } from "./queries.ts";
import type { KeyRing } from "./secret.ts";

export async function add(
  { database, positionals: [businessId], options }: AdminCall,
  ring: KeyRing,
): Promise<AdminAnswer> {
  if (businessId === undefined) throw new AdminError("Name the business: webhook add <business id> --url <https://…>.");
  const environment = readChoice("environment", options.environment ?? "test", ENVIRONMENTS);
  if (!(await isChainConfigured(database, environment)))
    throw new AdminError(`No chain is configured for ${environment}; it has no events to send.`);
  const wanted = { url: readUrl(options.url), eventTypes: readTypes(options.types ?? "all") };
  const issued = await addEndpoint(database, ring, { businessId, environment }, wanted).catch(
    refuseNoBusiness(businessId),
  );
  if (issued === null)
    throw new AdminError(`${businessId} has ${ENDPOINTS_MAX} ${environment} endpoints. Delete or update one.`);
  return showIssued(issued);
}

export async function list({ database, positionals: [businessId] }: AdminCall): Promise<AdminAnswer> {
  if (businessId === undefined) throw new AdminError("Name the business: webhook list <business id>.");
  const endpoints = await listEndpoints(database, businessId);
  return {
    result: { object: "list", data: endpoints.map(show) },
    text: endpoints.length === 0 ? "No endpoints." : endpoints.map(describe).join("\n"),
  };
}

export async function update(call: AdminCall): Promise<AdminAnswer> {
  const { url, types } = call.options;
  if (url === undefined && types === undefined) throw new AdminError("Give --url, --types or both.");
  return change(call, "updated", (endpoint) =>
    updateEndpoint(call.database, endpoint, {
      url: url === undefined ? endpoint.url : readUrl(url),
      eventTypes: types === undefined ? endpoint.eventTypes : readTypes(types),
    }),
  );
}

export async function roll({ database, positionals: [id], options }: AdminCall, ring: KeyRing): Promise<AdminAnswer> {
  const grace = readChoice("grace", options.grace ?? "24h", Object.keys(SECRET_GRACES) as SecretGrace[]);
  const issued = await rollSecret(database, ring, await endpointOf(database, id), grace);
  if (issued === null) throw noEndpoint(id!);
  return showIssued(issued);
}

export async function change(
  { database, positionals: [id] }: AdminCall,
  done: string,
  work: (endpoint: Endpoint) => Promise<Endpoint | null>,
): Promise<AdminAnswer> {
  const changed = await work(await endpointOf(database, id));
  if (changed === null) throw noEndpoint(id!);
  await notifyWorkers(database);
  return { result: show(changed), text: `${done}: ${describe(changed)}` };
}

export async function remove({ database, positionals: [id] }: AdminCall): Promise<AdminAnswer> {
  if (!(await deleteEndpoint(database, await endpointOf(database, id)))) throw noEndpoint(id!);
  return { result: { object: "webhook_endpoint", id, deleted: true }, text: `Deleted ${id}.` };
}
