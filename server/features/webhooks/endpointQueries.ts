import { ActionError } from "../../domain/actionError.ts";
import type { Tenant } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { type Endpoint, type EndpointRow, readEndpointRow } from "./webhook.ts";

export async function findEndpoint(db: Db, { businessId, environment }: Tenant, id: string): Promise<Endpoint | null> {
  const row = await db.row<EndpointRow>(sql`
    select * from webhook_endpoints where business_id = ${businessId} and id = ${id} and environment = ${environment}`);
  return row === null ? null : readEndpointRow(row);
}

/** The tenant's endpoint. Throws {@link ActionError}: `endpoint_not_found`. */
export async function requireEndpoint(db: Db, tenant: Tenant, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(db, tenant, id);
  if (endpoint === null) throw missingEndpoint(id);
  return endpoint;
}

export const missingEndpoint = (id: string) => new ActionError("endpoint_not_found", `There is no endpoint ${id}.`);

/** The tenant of the endpoint that a command names. */
export async function requireTenantOf(db: Db, id: string): Promise<Tenant> {
  const tenant = await findTenantOfEndpoint(db, id);
  if (tenant === null) throw missingEndpoint(id);
  return tenant;
}

/** The tenant of an endpoint, for a command that names only the endpoint. */
export const findTenantOfEndpoint = (db: Db, id: string) =>
  db.row<Tenant>(sql`select business_id as "businessId", environment from webhook_endpoints where id = ${id}`);
