import { type Sql, sql } from "../../../store/sql.ts";

/** Makes a user the first owner of a new business: a statement of the transaction that adds it. */
export const insertFirstOwner = (businessId: string, userId: string): Sql => sql`
  insert into members (business_id, user_id, role, created_at) values (${businessId}, ${userId}, 'owner', now())`;
