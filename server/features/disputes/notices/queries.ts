import type { Tenant } from "../../../domain/callers.ts";
import type { DisputeNotice } from "../../../domain/notices.ts";
import type { Environment } from "../../../domain/terms.ts";
import { statementNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { relation, type Sql, sql } from "../../../store/sql.ts";
import type { DisputeNews } from "../../emails/email.ts";
import type { Side } from "../dispute.ts";
import { DUE } from "../schema.ts";

/** Seconds between two emails with news to the members of a business, or to a buyer. */
export const NEWS_SECONDS = 900;

const isDue = (environment: Environment): Sql => sql`coalesce(n.due_at, n.created_at) <= ${statementNow(environment)}`;

/**
 * Finds the business whose news waits longest, and counts an email to its members. Null if there is no news, or each
 * business with news got an email lately. The row of the business is locked, so one of two processes gets it.
 */
export async function claimBusiness(db: Db, environment: Environment): Promise<Tenant | null> {
  const row = await db.row<{ business_id: string }>(sql`
    with waiting as (
      select n.business_id from dispute_notices n
        left join dispute_emails l on l.business_id = n.business_id and l.environment = n.environment
      where n.environment = ${environment} and n.side = 'merchant' and ${isDue(environment)}
        and (l.next_at is null or l.next_at <= now())
      order by coalesce(n.due_at, n.created_at) limit 1)
    insert into dispute_emails as l (business_id, environment, next_at)
    select business_id, ${environment}, now() + make_interval(secs => ${NEWS_SECONDS}::integer) from waiting
    on conflict (business_id, environment) do update set next_at = excluded.next_at where l.next_at <= now()
    returning business_id`);
  return row === null ? null : { businessId: row.business_id, environment };
}

/** Takes the count back where no email was to be written. */
export const releaseBusiness = (db: Db, { businessId, environment }: Tenant) =>
  db.rows(sql`
    update dispute_emails set next_at = now() where business_id = ${businessId} and environment = ${environment}`);

/** News of one email at most; more goes into the next. */
const NEWS_MAX = 1_000;

/** A notice that is due; `holds` is false if the dispute has moved on, and nothing is to be told. */
export interface DueNotice {
  readonly disputeId: string;
  readonly kind: DisputeNotice;
  readonly version: number;
  readonly until: Date | null;
  readonly holds: boolean;
}

/**
 * True while the notice `n` (`side`, `kind`, `until`) of the dispute `d` is to be told: not a turn that has passed, an offer
 * that is no longer open, or news of a paused dispute.
 */
const holds = (environment: Environment): Sql => sql`(
  d.status <> 'paused' and case n.kind
    when 'opened' then d.status not in ('decided', 'closed')
    when 'closed' then d.status in ('decided', 'closed')
    when 'offer' then exists (
      select from dispute_offers o
      where o.business_id = d.business_id and o.dispute_id = d.id and o.side <> n.side and o.status = 'open')
    else case when d.status <> 'deciding' then d.turn = n.side::text
        when n.side = 'merchant' then d.merchant_to_answer else d.buyer_to_answer end
      and ${DUE} = n.until and n.until > ${statementNow(environment)} end)`;

/** The news of a side in a business, or in one dispute, oldest first. */
export const listDueNotices = (
  db: Db,
  { businessId, environment }: Tenant,
  { side, disputeId }: { readonly side: Side; readonly disputeId: string | null },
) =>
  db.rows<DueNotice>(sql`
    select n.dispute_id as "disputeId", n.kind, n.version, n.until, ${holds(environment)} as holds
    from dispute_notices n join disputes d on d.business_id = n.business_id and d.id = n.dispute_id
    where n.business_id = ${businessId} and n.environment = ${environment} and n.side = ${side}
      and (${disputeId}::text is null or n.dispute_id = ${disputeId}) and ${isDue(environment)}
    order by coalesce(n.due_at, n.created_at), n.dispute_id limit ${NEWS_MAX}::integer`);

const newsRows = relation("n", {
  dispute_id: "text",
  kind: "dispute_notice",
  side: "dispute_side",
  until: "timestamptz",
});

/** The news that still holds, of a side in a business. */
export const listHolding = (
  db: Db,
  { businessId, environment }: Tenant,
  side: Side,
  news: readonly DisputeNews[],
): Promise<DisputeNews[]> =>
  db.rows<DisputeNews>(sql`
    select n.dispute_id as "disputeId", n.kind, n.until
    from ${newsRows(news.map(({ disputeId, ...one }) => ({ ...one, dispute_id: disputeId, side })))}
      join disputes d on d.business_id = ${businessId} and d.id = n.dispute_id
    where ${holds(environment)}`);

/** Deletes what is told by an email, or is not to be told. */
export const deleteNotices = (db: Db, { businessId }: Tenant, side: Side, told: readonly DueNotice[]) =>
  db.rows(sql`
    delete from dispute_notices n
    using unnest(${told.map(({ disputeId }) => disputeId)}::text[], ${told.map(({ kind }) => kind)}::text[],
      ${told.map(({ version }) => version)}::integer[]) as t (dispute_id, kind, version)
    where n.business_id = ${businessId} and n.side = ${side}
      and n.dispute_id = t.dispute_id and n.kind = t.kind and n.version = t.version`);

/** Deletes news that nobody was told of for three days, a batch at a time. A reminder counts from the time at which it is due. */
export const purgeNotices = (db: Db, environment: Environment) =>
  db.rows(sql`
    delete from dispute_notices where ctid = any(array(
      select n.ctid from dispute_notices n
      where n.environment = ${environment} and n.created_at < now() - interval '3 days'
        and coalesce(n.due_at, n.created_at) < ${statementNow(environment)} - interval '3 days'
      limit 1000))`);
