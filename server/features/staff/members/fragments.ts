import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { formerOwners } from "../../audit/fragments.ts";

/** Makes a user the first owner of a new business, in the transaction that adds it. */
export const insertFirstOwner = (businessId: string, userId: string): Sql => sql`
  insert into members (business_id, user_id, role, created_at) values (${businessId}, ${userId}, 'owner', now())`;

/** Further owners get no letter; a business has a handful. The oldest users do, so owners that a thief adds displace none. */
const OWNERS_MAX = 50;

/**
 * The e-mail addresses of a business's owners, and of the owners of the last week: a thief who first removes the
 * others still cannot keep the letter from them.
 */
export async function listOwnerAddresses(db: Db, businessId: string): Promise<string[]> {
  const rows = await db.rows<{ email: string }>(sql`
    select email from users where id in (
      select user_id from members where business_id = ${businessId} and role = 'owner'
      union
      ${formerOwners(businessId)})
    order by id limit ${OWNERS_MAX}::integer`);
  return rows.map(({ email }) => email);
}
