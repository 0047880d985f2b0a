import { hash } from "node:crypto";
import { siteOf } from "../../../edge/buyer/limits.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** A limit per minute for one subject, such as a network. */
export interface Rate {
  readonly name: string;
  readonly subject: string;
  readonly max: number;
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

/**
 * Counts a use by each rate in the current minute, for all processes together. The rates of `then` are counted only if
 * none of `first` is used up, so that requests beyond one network's limit use up nothing of its neighbours. Null if it
 * is allowed; else the seconds until the next use is.
 */
export async function countUse(db: Db, first: readonly Rate[], then: readonly Rate[] = []): Promise<number | null> {
  // Always in the same order, so that no two statements wait for each other.
  const keysOf = (rates: readonly Rate[]) => rates.map(keyOf).sort();
  const maxOf = new Map([...first, ...then].map((rate) => [keyOf(rate), rate.max]));
  const rows = await db.rows<{ name: string; used: number; wait: number }>(sql`
    with first as (
      insert into checkout_rates as r (name, minute, used)
      select k.name, date_trunc('minute', now()), 1 from unnest(${keysOf(first)}::text[]) k (name)
      on conflict (name) do update set minute = excluded.minute,
        used = case when r.minute = excluded.minute then r.used + 1 else 1 end
      returning name, used),
    later as (
      insert into checkout_rates as r (name, minute, used)
      select k.name, date_trunc('minute', now()), 1 from unnest(${keysOf(then)}::text[]) k (name)
      where not exists (select from first f
        join unnest(${[...maxOf.keys()]}::text[], ${[...maxOf.values()]}::integer[]) m (name, uses) on m.name = f.name and f.used > m.uses)
      on conflict (name) do update set minute = excluded.minute,
        used = case when r.minute = excluded.minute then r.used + 1 else 1 end
      returning name, used)
    select name, used, ceil(60 - extract(second from now()))::integer as wait from (table first union all table later) u`);
  const over = rows.find(({ name, used }) => used > maxOf.get(name)!);
  return over === undefined ? null : Math.max(1, over.wait);
}

/** Deletes counts of earlier minutes. Returns the number. */
export async function pruneRates(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql`
    delete from checkout_rates where name in (
      select name from checkout_rates where minute < now() - interval '2 minutes' limit ${limit}::integer for update skip locked)
    returning name`);
  return rows.length;
}
