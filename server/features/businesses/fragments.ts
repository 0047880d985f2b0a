import { type Sql, sql } from "../../store/sql.ts";
import { jsonFields } from "../../store/table.ts";
import { OWN_PROFILE } from "./business.ts";

/** The `BusinessProfile` of the row of `businesses` with alias `b`, as one JSON column. */
export const PROFILE_OF_B: Sql = sql`json_build_object(${jsonFields("b", OWN_PROFILE)},
    'refundPolicy', (select r.body from refund_policies r where r.business_id = b.id and r.hash = b.refund_policy_hash))`;

/** Sets or clears the domain that buyers see. The foreign key refuses a domain that is not proven. */
export const setDomain = (businessId: string, domain: string | null): Sql =>
  sql`update businesses set domain = ${domain} where id = ${businessId} and domain is distinct from ${domain}::text`;
