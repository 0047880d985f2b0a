import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { environmentNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { booksMatters } from "../books/fragments.ts";
import { decimalsOf } from "../chains/fragments.ts";
import { OPEN_OFFERS_OF_BUYERS } from "../disputes/fragments.ts";
import { DUE } from "../disputes/schema.ts";
import { mismatchedPayments } from "../events/fragments.ts";
import { savedRecipients } from "../recipients/fragments.ts";
import { oldestDue } from "../settlement/fragments.ts";
import { type AssetRow, type Days, type DeploymentRow, type Matter, WEEKS, type WeekRow } from "./overview.ts";

/** Tokens of a tenant that are read to find those to show. */
const ASSETS_READ_MAX = 100;
/** This week, and the days of the longest protection. */
const DAYS_READ_MAX = 50;

const daysOf = ({ businessId, environment }: Tenant, asset: Sql): Sql =>
  sql`payment_days d where d.business_id = ${businessId} and d.environment = ${environment} and d.asset = ${asset}`;

/**
 * The sums of a tenant's tokens, those with the most payments in the escrow first; one more than `limit` says that there
 * are more.
 */
export const listAssets = (db: Db, tenant: Tenant, { today, monday }: Days, limit: number) =>
  db.rows<AssetRow>(sql`
    select t.asset, t.received::text, t.released::text, t.refunded::text, t.due::text, t.due_payments as "duePayments",
      t.disputed::text, t.disputed_payments as "disputedPayments", t.decided::text, ${decimalsOf(sql`${tenant.environment}`, sql`t.asset`)} as decimals, w.*
    from (
      select * from (
        select * from payment_days
        where business_id = ${tenant.businessId} and environment = ${tenant.environment} and day = 'infinity'
        limit ${ASSETS_READ_MAX}::integer) t
      order by due_payments + disputed_payments + decided_payments desc, received_payments desc, asset
      limit ${limit + 1}::integer) t
    cross join lateral (
      select coalesce(sum(d.released), 0)::text as "weekReleased", coalesce(sum(d.released_payments), 0)::integer as "weekReleasedPayments",
        coalesce(sum(d.refunded), 0)::text as "weekRefunded", coalesce(sum(d.refunded_payments), 0)::integer as "weekRefundedPayments",
        json_agg(json_build_array(d.day, d.due::text, d.due_payments) order by d.day)
          filter (where d.day >= ${today}::date and d.due_payments > 0) as days
      from (
        select d.* from ${daysOf(tenant, sql`t.asset`)} and d.day >= ${monday}::date and d.day < 'infinity'
        order by d.day limit ${DAYS_READ_MAX}::integer) d) w`);

/** The amounts paid in a token by week, oldest first, without weeks in which nothing was. */
export const listWeeks = (db: Db, tenant: Tenant, asset: string, { firstMonday }: Days) =>
  db.rows<WeekRow>(sql`
    select date_trunc('week', d.day::timestamp)::date::text as "from", sum(d.received)::text as amount,
      sum(d.received_payments)::integer as payments
    from (
      select d.* from ${daysOf(tenant, sql`${asset}`)} and d.day >= ${firstMonday}::date and d.day < 'infinity'
      order by d.day limit ${WEEKS * 7}::integer) d
    where d.received_payments > 0 group by 1 order by 1`);

/** Rows of each kind that are shown. */
export const SHOWN_MAX = 5;

/** Disputes in which it is the business's turn. */
const disputes = ({ businessId, environment }: Tenant): Sql => sql`
  select case d.status when 'agreed' then 'agreement' 
      when 'deciding' then case when d.asked_side = 'buyer' then 'reply' else 'question' end else 'dispute' end as kind, d.payment_address as id, d.opened_at as since,
    ${DUE} as due, d.merchant_reference as reference, d.amount - d.refund_total as amount, p.asset, d.id as detail
  from disputes d join payments p on p.business_id = d.business_id and p.address = d.payment_address
  where d.business_id = ${businessId} and d.environment = ${environment} and d.turn = 'merchant'
  order by ${DUE}, d.id limit ${SHOWN_MAX + 1}::integer`;

/** The newest disputes with the arbiter that are looked at. */
const DECIDING_MAX = 100;

/** Offers of buyers that the business can still accept while the arbiter decides, and nothing else is on its turn. */
const offers = ({ businessId, environment }: Tenant): Sql => sql`
  select 'offer' as kind, d.payment_address as id, o.created_at as since, o.until as due,
    d.merchant_reference as reference, d.amount - d.refund_total as amount, p.asset, d.id as detail
  from (
    select * from disputes where business_id = ${businessId} and environment = ${environment} and status = 'deciding'
    order by id desc limit ${DECIDING_MAX}::integer) d
    join ${OPEN_OFFERS_OF_BUYERS}
    join payments p on p.business_id = d.business_id and p.address = d.payment_address
  where d.turn <> 'merchant' and o.until > ${environmentNow(environment)}
  order by o.until, d.id limit ${SHOWN_MAX + 1}::integer`;

/** Further payments of orders that were paid already, while the recipient can still give them back before they are released. */
const duplicates = ({ businessId, environment }: Tenant): Sql => sql`
  select 'duplicate' as kind, address as id, created_at as since, protection_deadline as due,
    merchant_reference as reference, amount - refund_total as amount, asset, null as detail
  from payments
  where business_id = ${businessId} and environment = ${environment} and role = 'duplicate' and status = 'protected'
    and outcome is null
  order by protection_deadline limit ${SHOWN_MAX + 1}::integer`;

/** The newest payments over the limit of a link that are read: anybody may make them, at their own cost. */
const OVER_LIMIT_MAX = 100;

/** Payments over the limit of their link, while the recipient can still give them back before they are released. */
const overLimit = ({ businessId, environment }: Tenant): Sql => sql`
  select 'over_limit' as kind, address as id, created_at as since, protection_deadline as due,
    merchant_reference as reference, amount - refund_total as amount, asset, null as detail
  from (
    select * from payments
    where business_id = ${businessId} and environment = ${environment} and over_limit
    order by recorded_sequence desc limit ${OVER_LIMIT_MAX}::integer) newest
  where role = 'primary' and status = 'protected' and outcome is null
  order by protection_deadline limit ${SHOWN_MAX + 1}::integer`;

/** The newest events of mismatches that are read: anybody may make payments that do not match. */
const EVENTS_MAX = 20;

/**
 * Payments that match no order and are not paid out: those whose terms differ from an intent's, by the events that said
 * so, and those to a saved recipient. Anybody may make such payments, so a limited number is read.
 */
const unmatched = (tenant: Tenant): Sql => sql`
  select 'unmatched' as kind, u.address as id, u.created_at as since, u.protection_deadline as due,
    null as reference, u.amount - u.refund_total as amount, u.asset, u.reason as detail
  from (
    (${mismatchedPayments(tenant, EVENTS_MAX, true)})
    union
    (select u.address from (${savedRecipients(tenant)}) r cross join lateral (
      select u.address from unmatched_payments u
      where u.environment = ${tenant.environment} and u.recipient = r.address and u.status in ('protected', 'disputed')
      order by u.protection_deadline limit ${SHOWN_MAX + 1}::integer) u)) found
    join unmatched_payments u on u.environment = ${tenant.environment} and u.address = found.address
  where u.status in ('protected', 'disputed') and u.outcome is null
  order by u.reason = 'unknown_payment_id', u.protection_deadline limit ${SHOWN_MAX + 1}::integer`;

const failingEndpoints = ({ businessId, environment }: Tenant): Sql => sql`
  select 'endpoint_failing' as kind, id, coalesce(disabled_at, failing_since) as since, null::timestamptz as due,
    -- The query may hold a token of the merchant.
    split_part(url, '?', 1) as reference, null::numeric as amount, null as asset, last_error as detail
  from webhook_endpoints
  where business_id = ${businessId} and environment = ${environment}
    and (status = 'failing' or (status = 'enabled' and failing_since is not null))
  order by id limit ${SHOWN_MAX + 1}::integer`;

/** The matters that need the business; one more of a kind than {@link SHOWN_MAX} says that there are more. */
export const listMatters = (db: Db, tenant: Tenant) =>
  db.rows<Matter>(sql`
    select m.kind, m.id, m.since, m.due, m.reference, m.amount::text, m.asset,
      ${decimalsOf(sql`${tenant.environment}`, sql`m.asset`)} as decimals, m.detail
    from ((${booksMatters(tenant, SHOWN_MAX + 1)}) union all (${disputes(tenant)}) union all (${offers(tenant)}) union all (${duplicates(tenant)}) union all (${overLimit(tenant)}) union all (${unmatched(tenant)}) union all (${failingEndpoints(tenant)})) m`);

export const findDeploymentRow = (db: Db, environment: Environment) =>
  db.row<DeploymentRow>(sql`
    select changed_at, changes, arbiter <> confirmed_arbiter as arbiter_changed,
      upgrade_authority <> confirmed_upgrade_authority as authority_changed, program_hash <> confirmed_program_hash as program_changed
    from deployments where environment = ${environment}`);

/** The time since which a payment of the environment is due and not paid out; null if none is. */
export async function findOldestDue(db: Db, environment: Environment): Promise<Date | null> {
  const row = await db.row<{ since: Date | null }>(sql`select ${oldestDue(environment)} as since`);
  return row!.since;
}
