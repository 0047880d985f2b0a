import type { Environment } from "../../domain/terms.ts";
import type { Database, Db } from "../../store/database.ts";
import { listDecimals } from "../chains/fragments.ts";
import {
  addToDays,
  claimDueEntries,
  type DayChange,
  type DecidedEntry,
  type DueEntry,
  listQuotes,
  updateEntries,
} from "./queries.ts";
import { decideValue, type Pars, type Quote } from "./rate.ts";

const BATCH_MAX = 200;

/**
 * Decides the values of the entries that are due, and moves the sums of their days (§13.23). Any number of workers may run
 * it. Returns true if there may be more.
 */
export async function valueEntries(database: Database, pars: Pars): Promise<boolean> {
  return database.transaction(async (db) => {
    const due = await claimDueEntries(db, BATCH_MAX);
    if (due.length === 0) return false;
    const fresh = due.filter(({ isReversed }) => !isReversed);
    const [decimals, quotes] = [await readDecimals(db, fresh), await readQuotes(db, fresh, pars)];
    const decided = due.map((entry): DecidedEntry => {
      const { businessId, environment, payment, number, asset, isReversed, value } = entry;
      const key = { businessId, environment, payment, number };
      if (isReversed) return { ...key, value, rate: null, source: null, rateDay: null, isCounted: false, waits: false };
      const par = pars.get(asset)?.currency ?? null;
      const quote = quotes.get(pairOf(entry, pars)) ?? null;
      const one = decideValue(entry, par, decimals.get(`${environment} ${asset}`) ?? null, quote);
      return { ...key, ...one, isCounted: one.value !== null };
    });
    await updateEntries(db, decided);
    const changes = due.flatMap((entry, index) => dayChange(entry, decided[index]!));
    if (changes.length > 0) await addToDays(db, changes);
    return due.length === BATCH_MAX;
  });
}

function dayChange(entry: DueEntry, { value, isCounted }: DecidedEntry): DayChange[] {
  if (entry.isCounted === isCounted || value === null) return [];
  const { businessId, environment, currency, asset, kind, day } = entry;
  const of = { businessId, environment, currency, asset, kind, day };
  return [isCounted ? { ...of, value, entries: 1 } : { ...of, value: `-${value}`, entries: -1 }];
}

async function readDecimals(db: Db, entries: readonly DueEntry[]): Promise<ReadonlyMap<string, number>> {
  const all = new Map<string, number>();
  for (const [environment, of] of Map.groupBy(entries, (one): Environment => one.environment)) {
    const found = await listDecimals(db, environment, [...new Set(of.map(({ asset }) => asset))]);
    for (const [asset, decimals] of found) all.set(`${environment} ${asset}`, decimals);
  }
  return all;
}

const pairOf = ({ asset, currency, day }: DueEntry, pars: Pars): string =>
  `${pars.get(asset)?.currency} ${currency} ${day}`;

async function readQuotes(db: Db, entries: readonly DueEntry[], pars: Pars): Promise<ReadonlyMap<string, Quote>> {
  const needed = entries.filter(({ asset, currency }) => pars.has(asset) && pars.get(asset)!.currency !== currency);
  const pairs = new Map(
    needed.map((entry) => [
      pairOf(entry, pars),
      { base: pars.get(entry.asset)!.currency, quoted: entry.currency, day: entry.day },
    ]),
  );
  if (pairs.size === 0) return new Map();
  const quotes = await listQuotes(db, [...pairs.values()]);
  return new Map([...pairs.keys()].map((pair, index) => [pair, quotes[index]!]));
}
