import { type Sql, sql } from "../../../store/sql.ts";

/** Of `hashes` of the row `g`, those under which terms texts of its intent are kept, as one JSON list; null: none. */
export const keptTermsOf = (g: Sql): Sql => sql`
      (select json_agg(t.hash) from checkout_terms t
        where t.business_id = ${g}.business_id and t.intent_id = ${g}.intent_id and t.hash = any(${g}.hashes))`;

/** True if nothing is known of the sent attempt in the row `t` but its signature, or a transaction that could not land. */
export const isReport = (t: Sql): Sql => sql`(${t}.transaction is null or not ${t}.can_land)`;
