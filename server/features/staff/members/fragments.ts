import { DISPUTE_NOTICES, type DisputeNotice } from "../../../domain/notices.ts";
import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { formerOwners } from "../../audit/fragments.ts";
import { ownCredentialOf } from "../signIn/queries.ts";

/** Makes a user the first owner of a new business, in the transaction that adds it. No row: the user has no password and no passkey. */
export const insertFirstOwner = (businessId: string, userId: string): Sql => sql`
  insert into members (business_id, user_id, role, created_at)
  select ${businessId}, ${userId}, 'owner', now() where ${ownCredentialOf(sql`${userId}`)} returning user_id`;

/** Further owners get no email; a business has a handful. The oldest users do, so owners that a thief adds displace none. */
const OWNERS_MAX = 50;

/**
 * The e-mail addresses of a business's owners, and of the owners of the last week: a thief who first removes the
 * others still cannot keep the email from them.
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

/** The emails about disputes that a member `m` gets: those chosen, or all by default of an owner or of the role `disputes`. */
export const DISPUTE_NOTICES_OF_MEMBER: Sql = sql`
  coalesce(m.dispute_notices, case when m.role in ('owner', 'disputes') then ${[...DISPUTE_NOTICES]}::text[] else '{}' end)`;

/** Further members get no email about disputes. */
const DISPUTE_READERS_MAX = 20;

/** The members of a business who are told about disputes, the first members in front. */
export const listDisputeReaders = (db: Db, businessId: string) =>
  db.rows<{ readonly email: string; readonly kinds: readonly DisputeNotice[] }>(sql`
    select u.email, ${DISPUTE_NOTICES_OF_MEMBER} as kinds from members m join users u on u.id = m.user_id
    where m.business_id = ${businessId} and cardinality(${DISPUTE_NOTICES_OF_MEMBER}) > 0
    order by m.created_at, m.user_id limit ${DISPUTE_READERS_MAX}::integer`);
