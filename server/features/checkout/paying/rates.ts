import { hash } from "node:crypto";
import { siteOf } from "../../../edge/buyer/limits.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** A limit per minute, or per day of UTC, for one subject, such as a network. */
export interface Rate {
  readonly name: string;
  readonly subject: string;
  readonly max: number;
  readonly per?: "day";
}

/**
 * The limits of builds per minute. An IPv6 address counts with the 64 bits of its household, and with the 48 that one
 * customer of a hoster may have. A network's use never counts against another.
 */
export function ratesOfBuild(network: string, intentId: string): readonly [Rate[], Rate[]] {
  const site = siteOf(network);
  const own = [
    { name: "build", subject: network, max: 60 },
    { name: "build of intent", subject: `${network} ${intentId}`, max: 20 },
  ];
  if (site === network) return [own, []];
  const shared = [
    { name: "build of site", subject: site, max: 600 },
    { name: "build of site and intent", subject: `${site} ${intentId}`, max: 60 },
  ];
  return [own, shared];
}

/** Transactions that a sponsor signs before their buyer: few may be open at once (§4.14.9), and no network gets them all. */
export const rateOfPresigned = (network: string): Rate => ({ name: "presigned", subject: siteOf(network), max: 2 });

/** The key of a count. A hash, so all keys have one length and none contains an address. */
const keyOf = ({ name, subject }: Rate): string => hash("sha256", `${name} ${subject}`, "base64url");

/** Rates in the order of their keys, always the same, so that no two statements wait for each other. */
const inOrder = (rates: readonly Rate[]) => {
  const keyed = rates.map((rate) => ({ key: keyOf(rate), isDaily: rate.per === "day" }));
  keyed.sort((one, other) => (one.key < other.key ? -1 : 1));
  return sql`
    select k.name, case when k.daily then date_trunc('day', now(), 'UTC') else date_trunc('minute', now()) end as began,
      case when k.daily then date_trunc('day', now(), 'UTC') + interval '1 day' end as ends
    from unnest(${keyed.map(({ key }) => key)}::text[], ${keyed.map(({ isDaily }) => isDaily)}::boolean[]) k (name, daily)`;
};
const COUNTED = sql`
  on conflict (name) do update set minute = excluded.minute, ends_at = excluded.ends_at,
    used = case when r.minute = excluded.minute then r.used + 1 else 1 end
  returning name, used, coalesce(ends_at, minute + interval '1 minute') as ends_at`;

/**
 * Counts a use by each rate in the current minute or day, for all processes together. The rates of `then` are counted only
 * if none of `first` is used up, so that requests beyond one network's limit use up nothing of its neighbours. Null if it
 * is allowed; else the seconds until the next use is.
 */
export async function countUse(db: Db, first: readonly Rate[], then: readonly Rate[] = []): Promise<number | null> {
  const maxOf = new Map([...first, ...then].map((rate) => [keyOf(rate), rate.max]));
  const rows = await db.rows<{ name: string; used: number; wait: number }>(sql`
    with first as (
      insert into checkout_rates as r (name, minute, ends_at, used)
      select k.name, k.began, k.ends, 1 from (${inOrder(first)}) k ${COUNTED}),
    later as (
      insert into checkout_rates as r (name, minute, ends_at, used)
      select k.name, k.began, k.ends, 1 from (${inOrder(then)}) k
      where not exists (select from first f
        join unnest(${[...maxOf.keys()]}::text[], ${[...maxOf.values()]}::integer[]) m (name, uses) on m.name = f.name and f.used > m.uses)
      ${COUNTED})
    select name, used, ceil(extract(epoch from ends_at - now()))::integer as wait from (table first union all table later) u`);
  const waits = rows.filter(({ name, used }) => used > maxOf.get(name)!).map(({ wait }) => Math.max(1, wait));
  return waits.length === 0 ? null : Math.max(...waits);
}

/** Deletes counts of earlier minutes and days. Returns the number. */
export async function pruneRates(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql`
    delete from checkout_rates where name in (
      select name from checkout_rates where coalesce(ends_at, minute + interval '1 minute') < now() - interval '1 minute'
      limit ${limit}::integer for update skip locked)
    returning name`);
  return rows.length;
}
