import type { Tenant } from "../../../domain/callers.ts";
import { hashStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** Gives a member's calendar another secret; the one before ends. */
export const saveFeed = (db: Db, { businessId, environment }: Tenant, userId: string, secret: string) =>
  db.rows(sql`
    insert into calendar_feeds (business_id, environment, user_id, hash)
    values (${businessId}, ${environment}, ${userId}, decode(${hashStaffSecret(secret)}, 'hex'))
    on conflict (business_id, environment, user_id) do update set hash = excluded.hash, created_at = now()`);

/** Returns false if the member has no calendar. */
export const deleteFeed = (db: Db, { businessId, environment }: Tenant, userId: string): Promise<boolean> =>
  db.has(sql`
    delete from calendar_feeds
    where business_id = ${businessId} and environment = ${environment} and user_id = ${userId} returning user_id`);

/** Ends the links of all calendars; returns their number. */
export async function deleteAllFeeds(db: Db): Promise<number> {
  const row = await db.row<{ ended: string }>(sql`
    with ended as (delete from calendar_feeds returning 1) select count(*) as ended from ended`);
  return Number(row!.ended);
}

/** The time at which the link of a member's calendar was made; null if there is none. */
export async function findFeedTime(db: Db, { businessId, environment }: Tenant, userId: string): Promise<Date | null> {
  const row = await db.row<{ created_at: Date }>(sql`
    select created_at from calendar_feeds
    where business_id = ${businessId} and environment = ${environment} and user_id = ${userId}`);
  return row?.created_at ?? null;
}

/** Establishes the tenant of a calendar by its secret. Null: it is unknown, or its member has left since it was made. */
export const findTenantOfFeed = (db: Db, secret: string) =>
  db.row<Tenant>(sql`
    select f.business_id as "businessId", f.environment
    from calendar_feeds f join members m on m.business_id = f.business_id and m.user_id = f.user_id
    where f.hash = decode(${hashStaffSecret(secret)}, 'hex') and m.created_at <= f.created_at`);
