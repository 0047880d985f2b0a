import { type AdminAnswer, type AdminCall, AdminError } from "../../../edge/admin.ts";
import type { EventType } from "../../events/event.ts";
import { BadDestination, readDestination } from "../sending/destination.ts";
import { type Endpoint, readEventTypes } from "../webhook.ts";
import { findEndpoint, type IssuedEndpoint } from "./queries.ts";

export async function endpointOf(database: AdminCall["database"], id: string | undefined): Promise<Endpoint> {
  if (id === undefined) throw new AdminError("Name the endpoint, such as we_….");
  const endpoint = await findEndpoint(database, id);
  if (endpoint === null) throw noEndpoint(id);
  return endpoint;
}

export const noEndpoint = (id: string) => new AdminError(`There is no endpoint ${id}.`);

export function readUrl(text: unknown): string {
  if (typeof text !== "string") throw new AdminError("Give the URL: --url https://…");
  try {
    return readDestination(text).url;
  } catch (error) {
    throw error instanceof BadDestination ? new AdminError(error.message) : error;
  }
}

export function readTypes(text: unknown): EventType[] | null {
  try {
    return readEventTypes(String(text));
  } catch (error) {
    throw new AdminError((error as Error).message);
  }
}

export const show = ({ eventTypes, ...endpoint }: Endpoint) => ({
  object: "webhook_endpoint",
  ...endpoint,
  eventTypes: eventTypes ?? ["*"],
});

export const describe = (endpoint: Endpoint): string =>
  `${endpoint.id}  ${endpoint.environment}  ${endpoint.status}  ${endpoint.url}  ${endpoint.eventTypes?.join(",") ?? "all"}`;

export const showIssued = ({ endpoint, secret }: IssuedEndpoint): AdminAnswer => ({
  result: { ...show(endpoint), secret },
  text: `${describe(endpoint)}\n${secret}\nThis is the only time the secret is shown.`,
});
