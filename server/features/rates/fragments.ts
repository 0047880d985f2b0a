import type { Tenant } from "../../domain/callers.ts";
import { WRAPPED_SOL } from "../../domain/tokens.ts";
import { computed, type FieldsOf, nullable, omit, pick, stored, word } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { type EntryKind, FIAT_ENTRIES } from "./rate.ts";

const MISSING = ["waits", "no_rates"] as const;
/** The members of an entry that staff see. */
export const SHOWN_ENTRY = {
  ...pick(
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
  ),
  missing: computed(
    nullable(
      word<(typeof MISSING)[number]>({
        of: MISSING,
        says: "Why it has no value: `waits` for a rate of its day or a later one; `no_rates`: the operator has set none for it. Null with a value.",
      }),
    ),
  ),
};
export type PaymentValue = FieldsOf<typeof SHOWN_ENTRY> & { readonly payment: string };

const SELECTED = selected(omit(stored(SHOWN_ENTRY), "rateDay"), "e");
// An entry that nobody has looked at yet waits, whatever the rates are.
const MISSING_OF_E = sql`
  case when e.value is null then case
    when e.due_at <= now() or e.due_at is not null and exists (
      select from fiat_rates r where r.currency = e.currency) then 'waits' else 'no_rates' end end`;
/** Entries of one payment: its parts that went back are few, but nothing forbids more. */
const ENTRIES_MAX = 50;

/** The values of payments, as long as no fork has taken the movements back. */
export const listValues = (db: Db, { businessId, environment }: Tenant, payments: readonly string[]) =>
  db.rows<PaymentValue>(sql`
    select e.* from unnest(${[...payments]}::text[]) p (address) cross join lateral (
      select e.payment, ${SELECTED}, e.rate_day::text as "rateDay", ${MISSING_OF_E} as missing from fiat_entries e
      where e.business_id = ${businessId} and e.environment = ${environment} and e.payment = p.address
        and e.reversed_at is null
      order by e.number limit ${ENTRIES_MAX}::integer) e`);

/** What one SOL is worth in a currency, by a rate of wrapped SOL that is at most a week old; null without one. */
export const solRateIn = (currency: Sql): Sql => sql`(
  select (case when t.currency = b.currency then t.rate else t.rate * c.wanted / c.rate end)::text
  from (select ${currency} as currency) b
  join token_rates t on t.asset = ${WRAPPED_SOL} and t.at > now() - interval '7 days'
  left join lateral (
    select r.rate as wanted, f.rate from fiat_rates r join fiat_rates f on f.currency = t.currency and f.day = r.day
    where r.currency = b.currency and r.day > (now() at time zone 'UTC')::date - 7
    order by r.day desc limit 1) c on true)`;

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
