import type { Tenant } from "../../domain/callers.ts";
import { type FieldsOf, omit, pick } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { type EntryKind, FIAT_ENTRIES } from "./rate.ts";

/** The members of an entry that staff see. */
export const SHOWN_ENTRY = pick(
  FIAT_ENTRIES.columns,
  "number",
  "kind",
  "amount",
  "occurredAt",
  "currency",
  "value",
  "rate",
  "source",
  "rateDay",
);
export type PaymentValue = FieldsOf<typeof SHOWN_ENTRY> & { readonly payment: string };

const SELECTED = selected(omit(SHOWN_ENTRY, "rateDay"), "e");
/** Entries of one payment: its parts that went back are few, but nothing forbids more. */
const ENTRIES_MAX = 50;

/** The values of payments, as long as no fork has taken the movements back. */
export const listValues = (db: Db, { businessId, environment }: Tenant, payments: readonly string[]) =>
  db.rows<PaymentValue>(sql`
    select e.* from unnest(${[...payments]}::text[]) p (address) cross join lateral (
      select e.payment, ${SELECTED}, e.rate_day::text as "rateDay" from fiat_entries e
      where e.business_id = ${businessId} and e.environment = ${environment} and e.payment = p.address
        and e.reversed_at is null
      order by e.number limit ${ENTRIES_MAX}::integer) e`);

/** What one SOL is worth in a currency by the last rates of one day, at most a week old; null without them. */
export const solRateIn = (currency: Sql): Sql => sql`(
  select (c.rate / s.rate)::text from fiat_rates s join fiat_rates c on c.currency = ${currency} and c.day = s.day
  where s.currency = 'SOL' and s.day > (now() at time zone 'UTC')::date - 7 order by s.day desc limit 1)`;

/** The sums of values in a currency, by token and kind. */
export interface ValueSum {
  readonly asset: string;
  readonly kind: EntryKind;
  readonly value: string;
  readonly entries: number;
}

/** The sums of a period of days of UTC. */
export const listValueSums = (
  db: Db,
  { businessId, environment }: Tenant,
  currency: string,
  { from, until }: { readonly from: string; readonly until: string },
) =>
  db.rows<ValueSum>(sql`
    select d.asset, d.kind, sum(d.value)::text as value, sum(d.entries)::integer as entries from fiat_days d
    where d.business_id = ${businessId} and d.environment = ${environment} and d.currency = ${currency}
      and d.day between ${from}::date and ${until}::date
    group by d.asset, d.kind`);

/**
 * The number of payments by token that went back in a period, the last part in it, each part of which in the period has a
 * value in the currency.
 */
export const listValuedRefunds = (
  db: Db,
  { businessId, environment }: Tenant,
  currency: string,
  { from, until }: { readonly from: string; readonly until: string },
) =>
  db.rows<{ readonly asset: string; readonly payments: number }>(sql`
    with parts as materialized (
      select e.payment, e.asset, bool_and(e.value is not null and e.currency = ${currency}) as valued,
        max(e.occurred_at) as last
      from fiat_entries e
      where e.business_id = ${businessId} and e.environment = ${environment} and e.kind = 'refund' and e.reversed_at is null
        and e.occurred_at >= ${from}::date::timestamp at time zone 'UTC'
      group by e.payment, e.asset)
    select p.asset, count(*)::integer as payments from parts p
    where p.valued and p.last < (${until}::date + 1)::timestamp at time zone 'UTC'
    group by p.asset`);
