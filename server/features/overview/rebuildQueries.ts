import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { piece, sql } from "../../store/sql.ts";
import { columnNames } from "../../store/table.ts";
import { PAYMENT_DAYS, SUM_COLUMNS } from "./dayTotals.ts";

const NAMES = columnNames(PAYMENT_DAYS.columns);
const SUM_NAMES = columnNames(SUM_COLUMNS).strings[0]!.split(", ");
const REPLACED = piece(SUM_NAMES.map((name) => `${name} = excluded.${name}`).join(", "));
/** The sum of each kind of share, and their number; 0 for a day without one. */
const SUMMED = piece(
  SUM_NAMES.map((name) => {
    const kind = name.replace("_payments", "");
    const counted = name.endsWith("_payments") ? "count(*)" : "sum(s.amount)";
    return `coalesce(${counted} filter (where s.kind = '${kind}'), 0)`;
  }).join(", "),
);

/** The businesses after `after` that have payments in an environment. */
export async function listPaidTenants(
  db: Db,
  environment: Environment,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select b.id from businesses b
    where b.id > ${after}
      and exists (select from payments p where p.business_id = b.id and p.environment = ${environment})
    order by b.id limit ${limit}::integer`);
  return rows.map(({ id }) => id);
}

/**
 * Sums the payments of a tenant by day anew. Runs in a transaction: the rows of days are locked first,
 * in the order in which writers lock them, so a change of a payment is in the sums that are read here or is added to them
 * later, and never both.
 */
export async function rebuildDays(db: Db, { businessId, environment }: Tenant): Promise<void> {
  await db.rows(sql`
    select from payment_days where business_id = ${businessId} and environment = ${environment}
    order by business_id, environment, asset, day for update`);
  await db.rows(sql`
    with shares as materialized (
      select p.asset, s.kind, s.amount, (s.at at time zone 'UTC')::date as day
      from payments p cross join lateral (values
        ('received', p.created_at, p.amount),
        ('released', p.settled_at, p.amount_released::numeric),
        ('refunded', p.refunded_at, p.amount_refunded::numeric),
        ('due', p.protection_deadline, case when p.status = 'protected' and p.outcome is null then p.amount - p.refund_total end),
        ('disputed', null, case when p.status = 'disputed' and p.outcome is null then p.amount - p.refund_total end),
        ('decided', null, case when p.outcome is not null and p.amount_released = 0 then p.amount - p.refund_total end)
      ) s (kind, at, amount)
      where p.business_id = ${businessId} and p.environment = ${environment} and s.amount > 0),
    placed as (
      select asset, day, kind, amount from shares where day is not null
      union all
      select asset, 'infinity', kind, amount from shares
      union all
      -- All days of a month with a share, and those that are there already.
      select m.asset, n::date, null, null
      from (select distinct asset, date_trunc('month', day::timestamp) as month from shares where day is not null) m
        cross join lateral generate_series(m.month, m.month + interval '1 month' - interval '1 day', interval '1 day') n
      union all
      select d.asset, d.day, null, null from payment_days d
      where d.business_id = ${businessId} and d.environment = ${environment})
    insert into payment_days (${NAMES})
    select ${businessId}, ${environment}::environment, s.asset, s.day, ${SUMMED}
    from placed s group by s.asset, s.day order by s.asset, s.day
    on conflict (business_id, environment, asset, day) do update set ${REPLACED}`);
}
