import { type Sql, sql } from "../../../store/sql.ts";

/** The ones of the row `g`'s `hashes` under which terms texts of its intent are stored, as a JSON list; null if there are none. */
export const keptTermsOf = (g: Sql): Sql => sql`
      (select json_agg(t.hash) from checkout_terms t
        where t.business_id = ${g}.business_id and t.intent_id = ${g}.intent_id and t.hash = any(${g}.hashes))`;

/** The hash of the refund policy in the terms text that the payment `p` of the intent `i` names; null if that is not kept. */
export const POLICY_HASH_OF_P: Sql = sql`
  (select t.body::jsonb ->> 'refundPolicyHash' from checkout_terms t
    where t.business_id = i.business_id and t.intent_id = i.id and t.hash = p.terms_hash)`;

/** True if only the signature of the sent attempt `t` is known, or its transaction could not land. */
export const isReport = (t: Sql): Sql => sql`(${t}.transaction is null or not ${t}.can_land)`;
