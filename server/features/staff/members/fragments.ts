import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";

/** Makes a user the first owner of a new business: a statement of the transaction that adds it. */
export const insertFirstOwner = (businessId: string, userId: string): Sql => sql`
  insert into members (business_id, user_id, role, created_at) values (${businessId}, ${userId}, 'owner', now())`;

/** More owners get no letter; a business has a handful. */
const OWNERS_MAX = 50;

/** The e-mail addresses of a business's owners, the first of them first. */
export async function listOwnerAddresses(db: Db, businessId: string): Promise<string[]> {
  const rows = await db.rows<{ email: string }>(sql`
    select u.email from members m join users u on u.id = m.user_id
    where m.business_id = ${businessId} and m.role = 'owner'
    order by m.created_at, m.user_id limit ${OWNERS_MAX}::integer`);
  return rows.map(({ email }) => email);
}
