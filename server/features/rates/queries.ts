import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { piece, relation, sql } from "../../store/sql.ts";
import { DAYS_READ, type KnownDay, type KnownRates } from "./decideQuote.ts";
import type { DayRate, EntryKind, Quote, TokenRate } from "./rate.ts";

const rateRows = relation("r", { day: "date", currency: "text", rate: "numeric" });

/** Keeps rates, and the euro's own for each of their days. One that is known stays as it is, and so does one of days to come. */
export const insertRates = (db: Db, source: "ecb" | "file", rates: readonly DayRate[]) =>
  db.rows(sql`
    with given as (
      select r.currency, r.day, r.rate from ${rateRows(rates)} where r.day <= (now() at time zone 'UTC')::date + 1),
    whole as (
      select currency, day, rate from given
      union select 'EUR', day, 1 from given where currency <> 'EUR')
    insert into fiat_rates (currency, day, rate, source)
    select distinct on (currency, day) currency, day, rate, ${source} from whole order by currency, day
    on conflict (currency, day) do nothing`);

export const listTokenRates = (db: Db, assets: readonly string[]) =>
  db.rows<TokenRate>(sql`
    select asset, currency, rate::text, at from token_rates where asset = any(${[...assets]}::text[])`);

const tokenRows = relation("r", { asset: "text", currency: "text", rate: "numeric", at: "timestamptz" });

/** Keeps the newest rate of each token. */
export const saveTokenRates = (db: Db, rates: readonly TokenRate[]) =>
  db.rows(sql`
    insert into token_rates as t (asset, currency, rate, at)
    select asset, currency, rate, at from ${tokenRows(rates.map((one) => ({ ...one })))} order by asset
    on conflict (asset) do update set currency = excluded.currency, rate = excluded.rate, at = excluded.at
    where excluded.at > t.at`);

const NEWEST_DAYS = sql`
  r.day <= (now() at time zone 'UTC')::date and r.day > (now() at time zone 'UTC')::date - ${DAYS_READ}::integer`;

/** The newest days of currencies. */
export const listKnownDays = (db: Db, currencies: readonly string[]) =>
  db.rows<KnownDay>(sql`
    select r.day::text, r.currency, r.rate::text, r.source from fiat_rates r
    where r.currency = any(${[...currencies]}::text[]) and ${NEWEST_DAYS}`);

/** What is known of a token and of currencies at one moment, which is the database's own. */
export async function findKnownRates(db: Db, asset: string, currencies: readonly string[]): Promise<KnownRates> {
  const row = await db.row<{
    now: Date;
    token: { readonly currency: string; readonly rate: string; readonly at: string } | null;
    days: readonly KnownDay[];
  }>(sql`
    with token as materialized (select currency, rate::text, at from token_rates where asset = ${asset})
    select date_trunc('milliseconds', clock_timestamp()) as now, (select row_to_json(token) from token) as token,
      coalesce((
        select json_agg(json_build_object('day', r.day, 'currency', r.currency, 'rate', r.rate::text, 'source', r.source)
          order by r.day desc)
        from fiat_rates r
        where (r.currency = any(${[...currencies]}::text[]) or r.currency in (select currency from token))
          and ${NEWEST_DAYS}
      ), '[]') as days`);
  const { now, token, days } = row!;
  return { now, days, token: token && { ...token, asset, at: new Date(token.at) } };
}

/** An entry that is to be looked at, under a lock. */
export interface DueEntry {
  readonly businessId: string;
  readonly environment: Environment;
  readonly payment: string;
  readonly number: number;
  readonly kind: EntryKind;
  readonly asset: string;
  readonly amount: string;
  readonly currency: string;
  /** The day of UTC on which it occurred. */
  readonly day: string;
  readonly isReversed: boolean;
  readonly isCounted: boolean;
  readonly value: string | null;
}

/** Locks the entries that are due, of all businesses; those that another worker has are left out. */
export const claimDueEntries = (db: Db, limit: number) =>
  db.rows<DueEntry>(sql`
    select e.business_id as "businessId", e.environment, e.payment, e.number, e.kind, e.asset, e.amount::text, e.currency,
      (e.occurred_at at time zone 'UTC')::date::text as day, e.reversed_at is not null as "isReversed",
      e.is_counted as "isCounted", e.value::text
    from fiat_entries e where e.due_at <= now() order by e.due_at limit ${limit}::integer for update skip locked`);

/** A pair of currencies on a day. */
export interface Pair {
  readonly base: string;
  readonly quoted: string;
  readonly day: string;
}

const pairRows = relation("w", { ordinal: "integer", base: "text", quoted: "text", day: "date" });

/** The rates of each pair: the last ones not after its day, at most a week old, both of one day. */
export const listQuotes = (db: Db, pairs: readonly Pair[]) =>
  db.rows<Quote>(sql`
    select q.day::text as "rateDay", q.base::text as "from", q.quoted::text as "to", q.source,
      (exists (select from fiat_rates x where x.currency = w.base and x.day >= w.day)
        and exists (select from fiat_rates x where x.currency = w.quoted and x.day >= w.day)) as "isFinal"
    from ${pairRows(pairs.map((pair, ordinal) => ({ ...pair, ordinal })))} left join lateral (
      select b.day, b.rate as base, c.rate as quoted, case when b.source = c.source then b.source else 'file' end as source
      from fiat_rates b join fiat_rates c on c.currency = w.quoted and c.day = b.day
      where b.currency = w.base and b.day <= w.day and b.day > w.day - 7
      order by b.day desc limit 1) q on true
    order by w.ordinal`);

/** What becomes of an entry. */
export interface DecidedEntry extends Pick<DueEntry, "businessId" | "environment" | "payment" | "number" | "value"> {
  readonly rate: string | null;
  readonly source: string | null;
  readonly rateDay: string | null;
  readonly isCounted: boolean;
  /** True: there is no rate yet. It is looked at again after an hour, an old one after a day. */
  readonly waits: boolean;
}

const ENTRY_KEY = piece("e.business_id = r.business_id and e.environment = r.environment and e.payment = r.payment");
const decidedRows = relation("r", {
  business_id: "text",
  environment: "text",
  payment: "text",
  number: "integer",
  value: "numeric",
  rate: "numeric",
  source: "text",
  rate_day: "date",
  is_counted: "boolean",
  waits: "boolean",
});

/** Writes what was decided of locked entries. A value that is there stays. */
export const updateEntries = (db: Db, decided: readonly DecidedEntry[]) =>
  db.rows(sql`
    update fiat_entries e set value = coalesce(e.value, r.value), rate = coalesce(e.rate, r.rate),
      source = coalesce(e.source, r.source), rate_day = coalesce(e.rate_day, r.rate_day), is_counted = r.is_counted,
      due_at = case when r.waits then now()
        + greatest(interval '1 hour', least(interval '1 day', (now() - e.occurred_at) / 24)) end
    from ${decidedRows(
      decided.map(({ businessId, rateDay, isCounted, ...one }) => ({
        ...one,
        business_id: businessId,
        rate_day: rateDay,
        is_counted: isCounted,
      })),
    )} where ${ENTRY_KEY} and e.number = r.number`);

/** What the sums of a day change by. */
export interface DayChange {
  readonly businessId: string;
  readonly environment: Environment;
  readonly currency: string;
  readonly asset: string;
  readonly kind: EntryKind;
  readonly day: string;
  readonly value: string;
  readonly entries: number;
}

const dayRows = relation("r", {
  business_id: "text",
  environment: "text",
  currency: "text",
  asset: "text",
  kind: "text",
  day: "date",
  value: "numeric",
  entries: "integer",
});

/** Adds to the sums of days, in one order, so that two workers do not wait for each other. */
export const addToDays = (db: Db, changes: readonly DayChange[]) =>
  db.rows(sql`
    insert into fiat_days as t (business_id, environment, currency, asset, kind, day, value, entries)
    select r.business_id, r.environment, r.currency, r.asset, r.kind, r.day, sum(r.value), sum(r.entries)
    from ${dayRows(changes.map(({ businessId, ...one }) => ({ ...one, business_id: businessId })))}
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (business_id, environment, currency, asset, kind, day)
      do update set value = t.value + excluded.value, entries = t.entries + excluded.entries`);
