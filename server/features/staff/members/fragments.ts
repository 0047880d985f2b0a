import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";

/** Makes a user the first owner of a new business: a statement of the transaction that adds it. */
export const insertFirstOwner = (businessId: string, userId: string): Sql => sql`
  insert into members (business_id, user_id, role, created_at) values (${businessId}, ${userId}, 'owner', now())`;

/** More owners get no letter; a business has a handful. */
const OWNERS_MAX = 50;

/**
 * The e-mail addresses of a business's owners, and of those who were owners within the last week: a thief who removes the
 * others first is not alone with the letter.
 */
export async function listOwnerAddresses(db: Db, businessId: string): Promise<string[]> {
  const rows = await db.rows<{ email: string }>(sql`
    select u.email from members m join users u on u.id = m.user_id
    where m.business_id = ${businessId} and m.role = 'owner'
    union
    select details::json ->> 'email' from audit_log
    where business_id = ${businessId} and recorded_at > now() - interval '7 days'
      and action in ('member.removed', 'member.role_changed')
      and coalesce(details::json ->> 'from', details::json ->> 'role') = 'owner'
    order by email limit ${OWNERS_MAX}::integer`);
  return rows.map(({ email }) => email);
}
