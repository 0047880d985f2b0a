import { DISPUTE_NOTICES, type DisputeNotice } from "../../../domain/notices.ts";
import type { AccountsDb } from "../../../store/accounts.ts";
import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { formerOwners } from "../../audit/fragments.ts";
import { findUsers } from "../fragments.ts";

/** Makes a user the first owner of a new business, in the transaction that adds it. */
export const insertFirstOwner = (businessId: string, userId: string): Sql => sql`
  insert into members (business_id, user_id, role, created_at) values (${businessId}, ${userId}, 'owner', now())`;

/** Further owners get no letter; a business has a handful. The oldest users do, so owners that a thief adds displace none. */
const OWNERS_MAX = 50;

/**
 * The ids of a business's owners, and of the owners of the last week: a thief who first removes the others still cannot
 * keep the letter from them.
 */
export async function listOwnerIds(db: Db, businessId: string): Promise<string[]> {
  const owners = await db.rows<{ userId: string }>(sql`
    select owners.user_id as "userId" from (
      select user_id from members where business_id = ${businessId} and role = 'owner'
      union
      ${formerOwners(businessId)}) owners
    order by owners.user_id limit ${OWNERS_MAX}::integer`);
  return owners.map(({ userId }) => userId);
}

/** The e-mail addresses of users, in the order of their ids. */
export async function listAddresses(accounts: AccountsDb, userIds: readonly string[]): Promise<string[]> {
  const users = await findUsers(accounts, userIds);
  return userIds.flatMap((id) => users.get(id)?.email ?? []);
}

/** The letters about disputes that a member `m` gets: those chosen, or all by default of an owner or of the role `disputes`. */
export const DISPUTE_NOTICES_OF_MEMBER: Sql = sql`
  coalesce(m.dispute_notices, case when m.role in ('owner', 'disputes') then ${[...DISPUTE_NOTICES]}::text[] else '{}' end)`;

/** Further members get no letter about disputes. */
const DISPUTE_READERS_MAX = 20;

interface DisputeReader {
  readonly email: string;
  readonly kinds: readonly DisputeNotice[];
}

/** The members of a business who are told about disputes, the first members in front. */
export async function listDisputeReaders(db: Db, businessId: string, accounts: AccountsDb): Promise<DisputeReader[]> {
  const members = await db.rows<{ userId: string; kinds: readonly DisputeNotice[] }>(sql`
    select m.user_id as "userId", ${DISPUTE_NOTICES_OF_MEMBER} as kinds from members m
    where m.business_id = ${businessId} and cardinality(${DISPUTE_NOTICES_OF_MEMBER}) > 0
    order by m.created_at, m.user_id limit ${DISPUTE_READERS_MAX}::integer`);
  const users = await findUsers(
    accounts,
    members.map(({ userId }) => userId),
  );
  return members.flatMap(({ userId, kinds }) => {
    const email = users.get(userId)?.email;
    return email === undefined ? [] : [{ email, kinds }];
  });
}
