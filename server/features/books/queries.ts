import { HOLDINGS_MAX } from "../../chain/port.ts";
import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { pick } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { insertion, selected } from "../../store/table.ts";
import { sameHash } from "../../store/textHash.ts";
import { decimalsOf } from "../chains/fragments.ts";
import { mismatchedPayments } from "../events/fragments.ts";
import { PAYMENTS } from "../payments/payment.ts";
import { savedRecipients } from "../recipients/fragments.ts";
import {
  BOOKS_ASSETS,
  BOOKS_FINDINGS,
  type BookedPayment,
  COMPARED,
  type ComparedAsset,
  type Finding,
  type SumPair,
} from "./books.ts";
import type { BooksPeriod } from "./period.ts";
import type { PriceSum } from "./schema.ts";

const BOOKED = sql`p.address, p.recorded_sequence as "recordedSequence", p.observed_slot::float8 as "observedSlot",
  ${selected(pick(PAYMENTS.columns, ...COMPARED), "p")}`;

/** The statuses of payments of which a part is still to leave, in the order in which a payment has them from the last on. */
export const OPEN_STATUSES = ["disputed", "protected"] as const;

/** The open payments of a status behind a place, in the order of recording; as many as one request reads on chain. */
export const listOpenPayments = (
  db: Db,
  { businessId, environment }: Tenant,
  status: (typeof OPEN_STATUSES)[number],
  after: string,
) =>
  db.rows<BookedPayment>(sql`
    select ${BOOKED} from payments p
    where p.business_id || '' = ${businessId} and p.environment || '' = ${environment} and p.status = ${status}
      and ${sameHash(sql`p.business_id || p.environment || p.status`, sql`${businessId}::text || ${environment} || ${status}`)}
      and p.recorded_sequence > ${after}::bigint
    order by p.recorded_sequence limit ${HOLDINGS_MAX}::integer`);

/** Those of the payments that are still open. */
export const listStillOpen = (db: Db, { businessId, environment }: Tenant, addresses: readonly string[]) =>
  db.rows<BookedPayment>(sql`
    select ${BOOKED} from unnest(${[...addresses]}::text[]) a (address)
      cross join lateral (
        select * from payments p where p.business_id = ${businessId} and p.address = a.address offset 0) p
    where p.environment = ${environment} and p.status in ('disputed', 'protected')`);

/** The sums of the tenant's tokens by the rows of payments, and by those of days, all at one moment. */
export const listSumPairs = (db: Db, { businessId, environment }: Tenant) =>
  db.rows<SumPair>(sql`
    with by_payments as materialized (
      select p.asset, sum(p.amount) as received, sum(p.amount_released) as released, sum(p.amount_refunded) as refunded,
        sum(p.amount - p.refund_total) filter (where p.outcome is null and p.status = 'protected') as due,
        sum(p.amount - p.refund_total) filter (where p.outcome is null and p.status = 'disputed') as disputed,
        sum(p.amount - p.refund_total) filter (where p.outcome is not null and p.amount_released = 0) as decided
      from payments p
      where p.business_id = ${businessId} and p.environment = ${environment} group by p.asset),
    by_days as materialized (
      select d.asset, d.day = 'infinity' as is_all, sum(d.received) as received, sum(d.released) as released,
        sum(d.refunded) as refunded, sum(d.due) as due, sum(d.disputed) as disputed, sum(d.decided) as decided
      from payment_days d where d.business_id = ${businessId} and d.environment = ${environment} group by d.asset, is_all),
    assets as (select asset from by_payments union select asset from by_days)
    select a.asset, v.name, coalesce(v.by_payments, 0)::text as "byPayments", coalesce(v.by_days, 0)::text as "byDays"
    from assets a
      left join by_payments p on p.asset = a.asset
      left join by_days t on t.asset = a.asset and t.is_all
      left join by_days d on d.asset = a.asset and not d.is_all
      cross join lateral (values
        ('received', p.received, t.received), ('released', p.released, t.released), ('refunded', p.refunded, t.refunded),
        ('due', p.due, t.due), ('disputed', p.disputed, t.disputed), ('decided', p.decided, t.decided),
        ('received by day', p.received, d.received), ('released by day', p.released, d.released),
        ('refunded by day', p.refunded, d.refunded), ('due by day', p.due, d.due)) v (name, by_payments, by_days)
    order by a.asset, v.name`);

/** The hour of UTC from which the books of a day are compared. */
const NIGHT = sql`(date_trunc('day', now() at time zone 'UTC' - interval '2 hours') at time zone 'UTC' + interval '2 hours')`;
/** The time for one comparison, and the wait after one that failed. */
const LEASE = sql`interval '10 minutes'`;
/** A member may ask for another comparison as soon as this. */
const ASKED_WAIT = sql`interval '15 seconds'`;
/** Differences are looked at again as soon as this: the service may be behind the chain, or a fork be decided. */
const DIFFERENCES_WAIT = sql`interval '10 minutes'`;

export interface ChecksLease {
  readonly businessId: string;
  /** The end of the lease, by which the worker shows that it has it. */
  readonly leasedUntil: Date;
  readonly beganAt: Date;
}

const claim = (environment: Environment, candidate: Sql): Sql => sql`
    insert into books_checks as c (business_id, environment, leased_until)
    select found.business_id, ${environment}, date_trunc('milliseconds', now() + ${LEASE}) from (${candidate}) found
    on conflict (business_id, environment) do update set leased_until = excluded.leased_until
      where coalesce(c.leased_until, '-infinity') < now()
    returning business_id as "businessId", leased_until as "leasedUntil", date_trunc('milliseconds', now()) as "beganAt"`;

/** Claims a comparison that a member asked for. */
export const claimAsked = (db: Db, environment: Environment) =>
  db.row<ChecksLease>(
    claim(
      environment,
      sql`
      select business_id from books_checks
      where environment = ${environment} and asked_at is not null and coalesce(leased_until, '-infinity') < now()
        and coalesce(checked_at, '-infinity') < now() - ${ASKED_WAIT}
      order by asked_at limit 1`,
    ),
  );

/** Claims the comparison of the next tenant after a business that has had none this night, or whose last one found differences. */
export const claimNightly = (db: Db, environment: Environment, after: string) =>
  db.row<ChecksLease>(
    claim(
      environment,
      sql`
      select b.id as business_id from businesses b
        left join books_checks c on c.business_id = b.id and c.environment = ${environment}
      where b.id > ${after} and coalesce(c.leased_until, '-infinity') < now()
        and (c.checked_at is null or c.checked_at < ${NIGHT}
          or (c.differences > 0 and c.checked_at < now() - ${DIFFERENCES_WAIT}))
        and exists (
          select from payment_days d where d.business_id = b.id and d.environment = ${environment} and d.day = 'infinity')
      order by b.id limit 1`,
    ),
  );

/** Claims the comparison of one tenant, for a person at the command line; null: another worker makes one. */
export const claimTenant = (db: Db, { businessId, environment }: Tenant) =>
  db.row<ChecksLease>(claim(environment, sql`select ${businessId}::text as business_id`));

/** The tenants that have been paid in an environment. */
export const listPaidBusinesses = (db: Db, environment: Environment, after: string, limit: number) =>
  db.rows<{ id: string }>(sql`
    select b.id from businesses b
    where b.id > ${after} and exists (
      select from payment_days d where d.business_id = b.id and d.environment = ${environment} and d.day = 'infinity')
    order by b.id limit ${limit}::integer`);

const insertFindings = insertion(BOOKS_FINDINGS);
const insertAssets = insertion(BOOKS_ASSETS);

/** Replaces what the last comparison found. Returns false if the lease is another worker's by now. */
export async function saveComparison(
  db: Db,
  tenant: Tenant,
  { leasedUntil, beganAt }: ChecksLease,
  {
    assets,
    findings,
    differences,
  }: { readonly assets: readonly ComparedAsset[]; readonly findings: readonly Finding[]; readonly differences: number },
): Promise<boolean> {
  const { businessId, environment } = tenant;
  const ofTenant = sql`business_id = ${businessId} and environment = ${environment}`;
  const isOurs = await db.has(sql`
    update books_checks set leased_until = null, began_at = ${beganAt}, checked_at = greatest(now(), ${beganAt}::timestamptz),
      differences = ${differences}::integer, asked_at = case when asked_at > ${beganAt}::timestamptz then asked_at end
    where ${ofTenant} and leased_until = ${leasedUntil}::timestamptz returning business_id`);
  if (!isOurs) return false;
  const earlier = await db.rows<Pick<Finding, "asset" | "payment" | "kind"> & { foundAt: Date }>(sql`
    delete from books_findings where ${ofTenant} returning asset, payment, kind, found_at as "foundAt"`);
  await db.rows(sql`delete from books_assets where ${ofTenant}`);
  // What stays was found earlier: since then the books differ.
  const nameOf = ({ asset, payment, kind }: Pick<Finding, "asset" | "payment" | "kind">) =>
    `${asset} ${payment} ${kind}`;
  const foundAt = new Map(earlier.map((one) => [nameOf(one), one.foundAt]));
  if (assets.length > 0) await db.rows(insertAssets(assets.map((one) => ({ businessId, environment, ...one }))));
  if (findings.length > 0)
    await db.rows(
      insertFindings(
        findings.map((one) => ({ businessId, environment, ...one, foundAt: foundAt.get(nameOf(one)) ?? beganAt })),
      ),
    );
  return true;
}

/** Ends a lease early: the comparison failed, and is made again after a while. */
export const postponeComparison = (db: Db, { businessId, environment }: Tenant, { leasedUntil }: ChecksLease) =>
  db.rows(sql`
    update books_checks set leased_until = least(leased_until, now() + interval '1 minute')
    where business_id = ${businessId} and environment = ${environment} and leased_until = ${leasedUntil}::timestamptz`);

/** Asks for a comparison; one that was asked for already stays as it is. */
export const askForComparison = (db: Db, { businessId, environment }: Tenant) =>
  db.rows(sql`
    insert into books_checks as c (business_id, environment, asked_at) values (${businessId}, ${environment}, now())
    on conflict (business_id, environment) do update set asked_at = coalesce(c.asked_at, now())`);

/** The last comparison of a tenant. */
export interface CheckState {
  readonly checkedAt: Date | null;
  readonly isUnderWay: boolean;
  readonly differences: number;
}

export const findCheckState = (db: Db, { businessId, environment }: Tenant) =>
  db.row<CheckState>(sql`
    select checked_at as "checkedAt", differences, (asked_at is not null or coalesce(leased_until, '-infinity') > now()) as "isUnderWay"
    from books_checks where business_id = ${businessId} and environment = ${environment}`);

export interface ShownFinding extends Finding {
  readonly foundAt: Date;
  readonly reference: string | null;
  readonly decimals: number | null;
}

/** The findings of the last comparison, differences first; one more than `limit` says that there are more. */
export const listFindings = (db: Db, { businessId, environment }: Tenant, limit: number) =>
  db.rows<ShownFinding>(sql`
    select ${selected(BOOKS_FINDINGS.columns, "f")}, p.merchant_reference as reference,
      ${decimalsOf(sql`f.environment`, sql`f.asset`)} as decimals
    from (
      select * from books_findings where business_id = ${businessId} and environment = ${environment}
      order by kind = 'gift', asset, payment, kind limit ${limit + 1}::integer) f
      left join payments p on p.business_id = f.business_id and p.address = f.payment
    order by f.kind = 'gift', f.asset, f.payment, f.kind`);

/** The sums of a token in a period, and what the last comparison found. */
export interface BooksRow {
  readonly asset: string;
  readonly decimals: number | null;
  readonly paid: string;
  readonly paidPayments: number;
  readonly released: string;
  readonly releasedPayments: number;
  readonly refunded: string;
  readonly refundedPayments: number;
  /** At the end of the period. */
  readonly inEscrow: string;
  /** Decided parts that have not left: the recipient's and the senders'. Null for a period that is over. */
  readonly leavingToRecipients: string | null;
  readonly leavingToSenders: string | null;
  readonly payments: number | null;
  readonly held: string | null;
  readonly vaults: string | null;
  readonly gifts: string | null;
  readonly giftPayments: number | null;
  readonly slotMin: number | null;
  readonly slotMax: number | null;
  readonly differences: number;
  readonly prices: readonly PriceSum[];
}

/** The books of a tenant by token, those with the most payments first; one more than `limit` says that there are more. */
export const listBooks = (
  db: Db,
  { businessId, environment }: Tenant,
  { from, until, isNow }: BooksPeriod,
  limit: number,
) =>
  db.rows<BooksRow>(sql`
    select t.asset, ${decimalsOf(sql`${environment}`, sql`t.asset`)} as decimals, s.*,
      case when ${isNow}::boolean then t.decided::text end as "leavingToRecipients",
      case when ${isNow}::boolean then (t.received - t.released - t.refunded - t.due - t.disputed - t.decided)::text end as "leavingToSenders",
      a.payments, a.held::text, a.vaults::text, a.gifts::text, a.gift_payments as "giftPayments", a.slot_min::float8 as "slotMin",
      a.slot_max::float8 as "slotMax", (
        select count(*)::integer from books_findings f
        where f.business_id = ${businessId} and f.environment = ${environment} and f.asset = t.asset and f.kind <> 'gift') as differences, (
        select coalesce(json_agg(json_build_object('currency', q.currency, 'paid', q.paid, 'payments', q.payments) order by q.currency), '[]')
        from (
          select d.currency, sum(d.price)::text as paid, sum(d.payments)::integer as payments from price_days d
          where d.business_id = ${businessId} and d.environment = ${environment} and d.asset = t.asset
            and d.day between ${from}::date and ${until}::date
          group by d.currency having sum(d.payments) > 0) q) as prices
    from (
      select d.* from payment_days d
      where d.business_id = ${businessId} and d.environment = ${environment} and d.day = 'infinity'
      order by d.received_payments desc, d.asset limit ${limit + 1}::integer) t
    left join books_assets a on a.business_id = ${businessId} and a.environment = ${environment} and a.asset = t.asset
    cross join lateral (
      select coalesce(sum(d.received) filter (where d.day >= ${from}::date), 0)::text as paid,
        coalesce(sum(d.received_payments) filter (where d.day >= ${from}::date), 0)::integer as "paidPayments",
        coalesce(sum(d.released) filter (where d.day >= ${from}::date), 0)::text as released,
        coalesce(sum(d.released_payments) filter (where d.day >= ${from}::date), 0)::integer as "releasedPayments",
        coalesce(sum(d.refunded) filter (where d.day >= ${from}::date), 0)::text as refunded,
        coalesce(sum(d.refunded_payments) filter (where d.day >= ${from}::date), 0)::integer as "refundedPayments",
        coalesce(sum(d.received - d.released - d.refunded), 0)::text as "inEscrow"
      from payment_days d
      where d.business_id = ${businessId} and d.environment = ${environment} and d.asset = t.asset
        and d.day <= ${until}::date and d.day < 'infinity') s`);

/** The most payments of a recipient that the sums read: anybody may make payments that match no order. */
const OF_RECIPIENT_MAX = 1_000;
const MISMATCHES_MAX = 100;

/** Sums by token of the money that came to a tenant's recipients without an order. */
export interface UnmatchedSum {
  readonly asset: string;
  readonly decimals: number | null;
  readonly payments: number;
  readonly paid: string;
  readonly released: string;
  readonly refunded: string;
  readonly isPart: boolean;
}

/** The sums of the payments that are bound to no intent, to saved recipients or to the recipient of the intent that they name. */
export const listUnmatchedSums = (db: Db, tenant: Tenant, { from, until }: BooksPeriod) => {
  const { environment } = tenant;
  const isIn = (column: Sql): Sql => sql`
    (${column} >= ${from}::date::timestamp at time zone 'UTC' and ${column} < (${until}::date + 1)::timestamp at time zone 'UTC')`;
  return db.rows<UnmatchedSum>(sql`
    with found as materialized (
      select address, false as is_part from (${mismatchedPayments(tenant, MISMATCHES_MAX, true)}) m
      union
      select c.address, c.ordinal > ${OF_RECIPIENT_MAX} from (${savedRecipients(tenant)}) r cross join lateral (
        select u.address, row_number() over (order by u.created_at desc) as ordinal from unmatched_payments u
        where u.environment = ${environment} and u.recipient = r.address
        order by u.created_at desc limit ${OF_RECIPIENT_MAX + 1}::integer) c),
    own as materialized (
      select u.*, f.is_part from (select address, bool_or(is_part) as is_part from found group by address) f
        join unmatched_payments u on u.environment = ${environment} and u.address = f.address
      where u.asset is not null)
    select s.*, ${decimalsOf(sql`${environment}`, sql`s.asset`)} as decimals from (
      select asset, count(*) filter (where ${isIn(sql`created_at`)})::integer as payments,
        coalesce(sum(amount) filter (where ${isIn(sql`created_at`)}), 0)::text as paid,
        coalesce(sum(amount_released) filter (where ${isIn(sql`settled_at`)}), 0)::text as released,
        coalesce(sum(amount_refunded) filter (where ${isIn(sql`refunded_at`)}), 0)::text as refunded,
        bool_or(is_part) as "isPart"
      from own group by asset) s
    where s.payments > 0 or s.released <> '0' or s.refunded <> '0'
    order by s.asset`);
};

/** What the deployment paid for the buyers of a tenant in a period, in lamports. */
export interface Costs {
  /** Fees, and the rent of tombstones, which never comes back. */
  readonly spent: string;
  /** Rent that comes back once the payments are over. */
  readonly lent: string;
}

export async function findCosts(
  db: Db,
  { businessId, environment }: Tenant,
  { from, until }: BooksPeriod,
): Promise<Costs> {
  const row = await db.row<Costs>(sql`
    select coalesce(sum(fee_lamports + case when status = 'failed' then 0 else tombstone_lamports end), 0)::text as spent,
      coalesce(sum(case when status = 'landed'
        then record_lamports - tombstone_lamports + case when vault_returned then 0 else vault_lamports end end), 0)::text as lent
    from sponsorships
    where business_id = ${businessId} and environment = ${environment} and status in ('landed', 'failed', 'returned')
      and created_at >= ${from}::date::timestamp at time zone 'UTC'
      and created_at < (${until}::date + 1)::timestamp at time zone 'UTC'`);
  return row!;
}
