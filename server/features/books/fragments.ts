import type { Tenant } from "../../domain/callers.ts";
import { type Sql, sql } from "../../store/sql.ts";

/** The differences of a tenant's books from the chain as matters of the home page; at most `limit`, the oldest first. */
export const booksMatters = ({ businessId, environment }: Tenant, limit: number): Sql => sql`
  select 'books_differ' as kind, nullif(payment, '') as id, found_at as since, null::timestamptz as due, null as reference,
    amount, asset, kind as detail
  from books_findings
  where business_id = ${businessId} and environment = ${environment} and kind <> 'gift'
  order by found_at limit ${limit}::integer`;
