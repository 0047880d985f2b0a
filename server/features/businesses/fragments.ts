import { pick } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { needed, part, rowPart } from "../../store/parts.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { jsonFields } from "../../store/table.ts";
import { BUSINESSES, type BusinessProfile, OWN_PROFILE } from "./business.ts";

/** The `BusinessProfile` of the row of `businesses` with alias `b`, as one JSON column. */
export const PROFILE_OF_B: Sql = sql`json_build_object(${jsonFields("b", OWN_PROFILE)},
    'refundPolicy', (select r.body from refund_policies r where r.business_id = b.id and r.hash = b.refund_policy_hash),
    'logo', (select l.sha256 from business_logos l where l.business_id = b.id))`;

/** The business of an order as buyers see it; null without one. */
export const BUSINESS = part<BusinessProfile | null>(
  ({ businessId }) => sql`(select ${PROFILE_OF_B} from businesses b where b.id = ${businessId})`,
);
export const BUSINESS_NAME = needed(
  rowPart(
    pick(BUSINESSES.columns, "id", "name"),
    "b",
    ({ businessId }) => sql`businesses b where b.id = ${businessId}`,
  ),
);

/** The text of a business's refund policy by its hash, also of one that it has no more; null if none is kept. */
export const policyOf = (businessId: Sql, hash: Sql): Sql =>
  sql`(select r.body from refund_policies r where r.business_id = ${businessId} and r.hash = ${hash})`;

/**
 * True if an intent of a row `a` may lead its buyer to its `return_host` (§4.1.7). Reads the business by key, and only for
 * a row that names a host.
 */
export const RETURN_HOST_ALLOWED: Sql = sql`
  case when a.return_host is null then true else coalesce((
    select regexp_replace(a.return_host, ':[0-9]+$', '') = b.domain
      or right(regexp_replace(a.return_host, ':[0-9]+$', ''), length(b.domain) + 1) = '.' || b.domain
      or coalesce(a.return_host = substring(b.return_url from '^https://([^/?#]+)'), false)
    from businesses b where b.id = a.business_id), false) end`;

/** Sets or clears the domain that buyers see. The foreign key refuses a domain that is not proven. */
export const setDomain = (businessId: string, domain: string | null): Sql =>
  sql`update businesses set domain = ${domain} where id = ${businessId} and domain is distinct from ${domain}::text`;

/** The currency in which a business wants values; null for none. */
export const reportingCurrencyOf = (businessId: Sql): Sql => sql`
  (select b.reporting_currency from businesses b where b.id = ${businessId})`;

/** How a business wants its books: null for a currency is none, for a time zone UTC. */
export interface Reporting {
  readonly currency: string | null;
  readonly timeZone: string | null;
}

export async function findReporting(db: Db, businessId: string): Promise<Reporting> {
  const row = await db.row<Reporting>(
    sql`select reporting_currency as currency, time_zone as "timeZone" from businesses where id = ${businessId}`,
  );
  return row ?? { currency: null, timeZone: null };
}
