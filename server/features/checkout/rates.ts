import { hash } from "node:crypto";
import { allowanceOf, mostOf, networksOf, siteOf } from "../../edge/buyer/limits.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

/** A limit for one network, and for one subject if it names one, such as an intent. */
export interface Rate {
  readonly name: string;
  readonly subject?: string;
  /** The uses of the network. Those around it have their allowance by it. */
  readonly max: number;
}

/** The limits of builds per minute. */
export const ratesOfBuild = (intentId: string): Rate[] => [
  { name: "build", max: 60 },
  { name: "build of intent", subject: intentId, max: 20 },
];

/**
 * Counts a transaction that a sponsor signs before its buyer: few may be open at once (§4.14.9), so 48 bits of IPv6 have no
 * more than one network. Returns false beyond that.
 */
export const mayPresign = async (db: Db, network: string): Promise<boolean> =>
  (await countUse(db, `of ${siteOf(network)}`, [{ name: "presigned", max: 2 }])) === null;

/** A hash, so all keys have one length and none contains an address. */
const keyOf = ({ name, subject = "" }: Rate, network: string): string =>
  hash("sha256", `${name} ${network} ${subject}`, "base64url");

/**
 * Counts a use by each rate in the current minute, or day of UTC, by the allowance of the network (§4.14.7), for all
 * processes together. The networks around it are counted only if it has uses left, and only up to theirs: what is refused
 * takes nothing from neighbours. Null if it is allowed; else the seconds until the next use is.
 */
export async function countUse(
  db: Db,
  network: string,
  rates: readonly Rate[],
  per: "minute" | "day" = "minute",
): Promise<number | null> {
  const [inner, ...around] = networksOf(network);
  const own = inOrder(rates.map((rate) => ({ key: keyOf(rate, inner!), max: rate.max })));
  const wider = inOrder(
    rates.flatMap((rate) =>
      around.map((one, level) => {
        const allowance = allowanceOf(rate.max);
        const [inShare, beyond] = [mostOf(allowance, level, 1), mostOf(allowance, level, rate.max)];
        return { key: keyOf(rate, one), of: keyOf(rate, inner!), share: allowance.share, inShare, beyond };
      }),
    ),
  );
  const column = <Row, Name extends keyof Row>(rows: readonly Row[], name: Name) => rows.map((row) => row[name]);
  const [began, ends] =
    per === "day"
      ? [sql`date_trunc('day', now(), 'UTC')`, sql`date_trunc('day', now(), 'UTC') + interval '1 day'`]
      : [sql`date_trunc('minute', now())`, sql`null::timestamptz`];
  const counted = sql`
    on conflict (name) do update set minute = excluded.minute, ends_at = excluded.ends_at,
      used = case when r.minute = excluded.minute then r.used + 1 else 1 end`;
  const rows = await db.rows<{ wait: number | null; isOver: boolean }>(sql`
    with own as (
      insert into checkout_rates as r (name, minute, ends_at, used)
      select k.name, ${began}, ${ends}, 1 from unnest(${column(own, "key")}::text[]) k (name) ${counted}
      returning name, used, coalesce(ends_at, minute + interval '1 minute') as ends_at),
    judged as (
      select own.*, used > m.uses as is_over
      from own join unnest(${column(own, "key")}::text[], ${column(own, "max")}::integer[]) m (name, uses) using (name)),
    most as (
      select w.name, case when o.used <= w.share then w.in_share else w.beyond end as uses
      from unnest(${column(wider, "key")}::text[], ${column(wider, "of")}::text[], ${column(wider, "share")}::integer[],
        ${column(wider, "inShare")}::float8[], ${column(wider, "beyond")}::float8[]) w (name, own, share, in_share, beyond)
      join own o on o.name = w.own
      where not exists (select from judged where is_over)),
    is_full as (
      select from most m join checkout_rates r using (name) where r.minute = ${began} and r.used >= m.uses),
    wider as (
      insert into checkout_rates as r (name, minute, ends_at, used)
      select k.name, ${began}, ${ends}, 1 from unnest(${column(wider, "key")}::text[]) k (name)
      where exists (select from most) and not exists (select from is_full) ${counted}
      where r.minute <> excluded.minute or r.used < (select m.uses from most m where m.name = excluded.name)
      returning name)
    select ceil(extract(epoch from ends_at - now()))::integer as wait, is_over as "isOver" from judged
    union all select null, false from wider`);
  const isAllowed = rows.length === own.length + wider.length && !rows.some(({ isOver }) => isOver);
  return isAllowed ? null : Math.max(1, ...rows.flatMap(({ wait }) => wait ?? []));
}

/** Counts in the order of their keys, always the same, so that no two statements wait for each other. */
const inOrder = <Count extends { readonly key: string }>(counts: readonly Count[]): readonly Count[] =>
  counts.toSorted((one, other) => (one.key < other.key ? -1 : 1));

/** Deletes counts of earlier minutes and days. Returns the number. */
export async function pruneRates(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql`
    delete from checkout_rates where name in (
      select name from checkout_rates where coalesce(ends_at, minute + interval '1 minute') < now() - interval '1 minute'
      limit ${limit}::integer for update skip locked)
    returning name`);
  return rows.length;
}
