import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { setDomain } from "../businesses/fragments.ts";
import { type Claim, DOMAINS, type Step } from "./domain.ts";

const CLAIM = selected(DOMAINS.columns, "d");

export const findClaim = (db: Db, businessId: string): Promise<Claim | null> =>
  db.row<Claim>(sql`select ${CLAIM} from business_domains d where d.business_id = ${businessId}`);

/** Reads and locks the claim to the end of the transaction. The business's own row is always locked after it. */
export const lockClaim = (db: Db, businessId: string): Promise<Claim | null> =>
  db.row<Claim>(sql`select ${CLAIM} from business_domains d where d.business_id = ${businessId} for update`);

/** Replaces the claim. Buyers no longer see the domain of the one before. */
export async function replaceClaim(db: Db, businessId: string, domain: string, token: string): Promise<Claim> {
  await db.rows(setDomain(businessId, null));
  const row = await db.row<Claim>(sql`
    insert into business_domains as d (business_id, domain, token, claimed_at, next_check_at)
    values (${businessId}, ${domain}, ${token}, now(), now() + interval '10 minutes')
    on conflict (business_id) do update set domain = excluded.domain, token = excluded.token, claimed_at = excluded.claimed_at,
      proven_at = null, failing_since = null, checked_at = null, problem = null, next_check_at = excluded.next_check_at
    returning ${CLAIM}`);
  return row!;
}

export async function deleteClaim(db: Db, businessId: string): Promise<void> {
  await db.rows(setDomain(businessId, null));
  await db.rows(sql`delete from business_domains where business_id = ${businessId}`);
}

/** The minimum time between two manual checks: each sends requests to a server that anyone may own. */
const CHECK_SECONDS = 10;

/** Takes the right to one check. Null if there is no claim, or the last check was too recent. */
export const takeCheck = (db: Db, businessId: string): Promise<Claim | null> =>
  db.row<Claim>(sql`
    update business_domains d set checked_at = now()
    where d.business_id = ${businessId}
      and (d.checked_at is null or d.checked_at < now() - make_interval(secs => ${CHECK_SECONDS}::integer))
    returning ${CLAIM}`);

/** Lets a worker check soon. Returns false if there is no claim. */
export const scheduleCheck = async (db: Db, businessId: string): Promise<boolean> =>
  (await db.row(sql`
    update business_domains set next_check_at = now() where business_id = ${businessId} returning business_id`)) !==
  null;

/** Claims due checks of all businesses in one lane. The checks of a worker that died become due again. */
export const claimDueChecks = (db: Db, isSlow: boolean, limit: number): Promise<Claim[]> =>
  db.rows<Claim>(sql`
    with due as (
      select business_id from business_domains where next_check_at <= now() and is_slow = ${isSlow}
      order by next_check_at limit ${limit}::integer for update skip locked)
    update business_domains d set next_check_at = now() + interval '10 minutes', checked_at = now()
    where d.business_id in (select business_id from due)
    returning ${CLAIM}`);

/** True if another business has proven the same domain. */
export const isProvenElsewhere = (db: Db, { businessId, domain }: Claim): Promise<boolean> =>
  db.has(sql`
    select true as found from business_domains
    where domain = ${domain} and business_id <> ${businessId} and proven_at is not null limit 1`);

/** Makes the checks of the same domain at other businesses due now: it may have changed hands. */
export const scheduleChecksElsewhere = (db: Db, { businessId, domain }: Claim) =>
  db.rows(sql`
    update business_domains set next_check_at = now()
    where domain = ${domain} and business_id <> ${businessId} and proven_at is not null`);

export async function storeStep(
  db: Db,
  businessId: string,
  step: Step,
  problem: string | null,
  isSlow: boolean,
): Promise<void> {
  await db.rows(sql`
    update business_domains set proven_at = ${step.provenAt}, failing_since = ${step.failingSince},
      next_check_at = ${step.nextCheckAt}, problem = ${problem}, is_slow = ${isSlow}
    where business_id = ${businessId}`);
}
