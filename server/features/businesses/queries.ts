import { newBusinessId } from "../../domain/ids.ts";
import type { Environment } from "../../domain/terms.ts";
import { listPage, pagedById } from "../../edge/http/listFilters.ts";
import { type FieldsOf, omit, pick } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { assignments, selected } from "../../store/table.ts";
import { beginSequences } from "../events/fragments.ts";
import { ACTIVE_KEYS_OF_B } from "../keys/fragments.ts";
import { SAVED_ONLY_OF_B } from "../recipients/fragments.ts";
import {
  BUSINESSES,
  type BusinessProfile,
  type BusinessSummary,
  hashRefundPolicy,
  type Logo,
  OWN_PROFILE,
  SUMMARY,
} from "./business.ts";
import { PROFILE_OF_B } from "./fragments.ts";
import { type BusinessQuery, LIST_BUSINESSES } from "./schema.ts";

/** With nine of ten tags taken, one new business in a thousand finds none in so many draws. */
const TAG_TRIES_MAX = 64;

/** Inserts a business with the event counter of each environment. The caller has checked the name. */
export async function insertBusiness(db: Db, name: string): Promise<{ id: string; name: string }> {
  const now = new Date();
  for (let tries = 0; tries < TAG_TRIES_MAX; tries++) {
    const id = newBusinessId(now);
    const isNew = await db.has(sql`
      with made as (
        insert into businesses (id, name, created_at) values (${id}, ${name}, ${now}) on conflict do nothing returning id),
      counted as (${beginSequences(sql`made`)})
      select id from made`);
    if (isNew) return { id, name };
  }
  throw new Error(`No free tag was drawn in ${TAG_TRIES_MAX} tries: the deployment has too many businesses.`);
}

/** The name of a business that exists. */
export async function findBusinessName(db: Db, businessId: string): Promise<string> {
  const row = await db.row<{ name: string }>(sql`select name from businesses where id = ${businessId}`);
  return row!.name;
}

const LISTED = pick(BUSINESSES.columns, "id", "name", "domain", "createdAt");

/** The businesses after this id, oldest first, with their active keys. */
export const listBusinesses = (db: Db, after: string, limit: number) =>
  db.rows<FieldsOf<typeof LISTED> & { readonly activeKeys: number }>(sql`
    select ${selected(LISTED, "b")}, ${ACTIVE_KEYS_OF_B} as "activeKeys"
    from businesses b where b.id > ${after} order by b.id limit ${limit}::integer`);

export async function findBusinessProfile(db: Db, businessId: string): Promise<BusinessProfile | null> {
  const row = await db.row<{ profile: BusinessProfile }>(
    sql`select ${PROFILE_OF_B} as profile from businesses b where b.id = ${businessId}`,
  );
  return row?.profile ?? null;
}

/** An environment in which creates accept saved recipients only (§13.11.5). */
export interface SavedOnly {
  readonly environment: Environment;
  /** ISO 8601; null if no owner has asked to end it. */
  readonly endsAt: string | null;
}

export async function listSavedOnly(db: Db, businessId: string): Promise<readonly SavedOnly[]> {
  const row = await db.row<{ rules: readonly SavedOnly[] | null }>(
    sql`select ${SAVED_ONLY_OF_B} as rules from businesses b where b.id = ${businessId}`,
  );
  return row?.rules ?? [];
}

/** Reads and locks the profile until the transaction ends. Records of the business do not wait for this lock. */
export async function lockBusinessProfile(db: Db, businessId: string): Promise<BusinessProfile | null> {
  await db.row(sql`select id from businesses where id = ${businessId} for no key update`);
  // A statement of its own: the one that waited for the lock does not see a policy that was written meanwhile.
  return findBusinessProfile(db, businessId);
}

const CHANGED = omit(OWN_PROFILE, "id", "domain");
const changed = assignments(CHANGED);

/** Changes the fields of a locked profile. The caller has checked the values. `logo`: undefined leaves it, null clears it. */
export async function updateProfile(
  db: Db,
  { id, refundPolicy, logo: _, ...fields }: BusinessProfile,
  logo: Logo | null | undefined,
): Promise<void> {
  if (logo !== undefined) await saveLogo(db, id, logo);
  const refundPolicyHash = refundPolicy === null ? null : hashRefundPolicy(refundPolicy);
  await db.rows(sql`
    with policy as (
      insert into refund_policies (business_id, hash, body, created_at)
      select ${id}, ${refundPolicyHash}::text, ${refundPolicy}::text, now() where ${refundPolicyHash}::text is not null
      on conflict (business_id, hash) do nothing)
    update businesses set ${changed({ ...fields, refundPolicyHash })} where id = ${id}`);
}

const saveLogo = (db: Db, businessId: string, logo: Logo | null) =>
  db.rows(
    logo === null
      ? sql`delete from business_logos where business_id = ${businessId}`
      : sql`
        insert into business_logos (business_id, sha256, type, bytes)
        values (${businessId}, ${logo.sha256}, ${logo.type}, ${logo.bytes})
        on conflict (business_id) do update set sha256 = excluded.sha256, type = excluded.type, bytes = excluded.bytes`,
  );

/** The logo with this hash, of any business that has it. */
export const findLogoByHash = (db: Db, sha256: string): Promise<Logo | null> =>
  db.row<Logo>(sql`select sha256, type, bytes from business_logos where sha256 = ${sha256} limit 1`);

const page = pagedById(LIST_BUSINESSES.query, sql`id`);

/** The businesses of the deployment, newest first, up to one row more than the limit. Null if the cursor is no business. */
export const listBusinessSummaries = (db: Db, query: BusinessQuery): Promise<BusinessSummary[] | null> =>
  listPage(db, selected(SUMMARY, "businesses"), sql`businesses where true`, page(query), query.startingAfter);
