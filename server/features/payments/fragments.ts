import type { Tenant } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { jsonReader, jsonRow } from "../../store/table.ts";
import { PAYMENTS, type Payment } from "./payment.ts";

/** The payment `p` of an outer join as one JSON value, or null. Parse it with {@link readPaymentJson}. */
export const PAYMENT_JSON: Sql = sql`case when p.address is not null then ${jsonRow("p", PAYMENTS.columns)} end`;

const readJson = jsonReader(PAYMENTS.columns);
export const readPaymentJson = (json: Record<string, unknown> | null): Payment | null =>
  json === null ? null : readJson(json);

/** Joins the primary payment `p` of each intent `i` to a FROM. */
export const PRIMARY_OF_I: Sql = sql`left join payments p on p.business_id = i.business_id and p.address = i.payment_address`;

/** {@link PRIMARY_OF_I} with one look-up per intent ("offset 0" is a fence). */
export const PRIMARY_OF_EACH_I: Sql = sql`left join lateral (
      select * from payments p
      where i.payment_address is not null and p.business_id = i.business_id and p.address = i.payment_address offset 0) p on true`;

/**
 * The payment at an address, in whatever business, with its environment's time; of one that is bound to no intent, business
 * and intent are null.
 */
export const paymentAt = (address: string): Sql => sql`
    select p.*, date_trunc('milliseconds', clock_timestamp()) + c.ahead as now
    from (
      select p.environment, p.business_id as "businessId", p.intent_id as "intentId", p.recipient,
        p.observed_slot::float8 as "observedSlot"
      from payments p where p.address = ${address}
      union all
      select u.environment, null, null, u.recipient, u.observed_slot::float8 from unmatched_payments u
      where u.environment in ('test', 'live') and u.address = ${address}) p
    join clocks c on c.environment = p.environment`;

/** The most tokens of a business that are listed. */
const PAID_ASSETS_MAX = 20;

/** The mints in which a tenant was paid, each found by one step in the index of mints. */
export async function listPaidAssets(db: Db, tenant: Tenant): Promise<string[]> {
  const ofTenant = sql`p.business_id = ${tenant.businessId} and p.environment = ${tenant.environment}`;
  const rows = await db.rows<{ asset: string }>(sql`
    with recursive paid (asset) as (
      (select p.asset from payments p where ${ofTenant} order by p.asset limit 1)
      union all
      select (select p.asset from payments p where ${ofTenant} and p.asset > paid.asset order by p.asset limit 1)
      from paid where paid.asset is not null)
    select asset from paid where asset is not null limit ${PAID_ASSETS_MAX}::integer`);
  return rows.map(({ asset }) => asset);
}
