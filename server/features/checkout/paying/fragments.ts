import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";

/** The ones of the row `g`'s `hashes` under which terms texts of its intent are stored, as a JSON list; null if there are none. */
export const keptTermsOf = (g: Sql): Sql => sql`
      (select json_agg(t.hash) from checkout_terms t
        where t.business_id = ${g}.business_id and t.intent_id = ${g}.intent_id and t.hash = any(${g}.hashes))`;

/** The hash of the refund policy in the terms text that the payment `p` names; null if that is not kept. */
export const POLICY_HASH_OF_P: Sql = sql`
  (select t.body::jsonb ->> 'refundPolicyHash' from checkout_terms t
    where t.business_id = p.business_id and t.intent_id = p.intent_id and t.hash = p.terms_hash)`;

/** True if only the signature of the sent attempt `t` is known, or its transaction could not land. */
export const isReport = (t: Sql): Sql => sql`(${t}.transaction is null or not ${t}.can_land)`;

/**
 * Establishes the business by the hash: a link to a terms text names none. A paymentId is part of each text, so it
 * belongs to one intent.
 */
export async function findTermsByHash(db: Db, hash: string): Promise<string | null> {
  const row = await db.row<{ body: string }>(sql`select body from checkout_terms where hash = ${hash} limit 1`);
  return row?.body ?? null;
}
