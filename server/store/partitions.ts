import type { Database } from "./database.ts";
import { lockNumbers } from "./locks.ts";
import { sql } from "./sql.ts";

/** Tables in partitions of a few days each, by real recording time in UTC. Their names are ours and safe in DDL. */
export interface PartitionedTable {
  readonly name: string;
  /**
   * The length of a partition. A table that is read as a whole should have few; one that is only looked up by time may have
   * many.
   */
  readonly days: number;
  /** Partitions that end before this are dropped; null: none. */
  readonly keepFrom: Date | null;
}

const DAYS_AHEAD = 4;
const DAY_MS = 86_400_000;
const LOCK_WAIT_MS = 200;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Periods count from 1970, so that all processes agree on them. */
export const startOfPeriod = (at: Date, days: number): Date =>
  new Date(Math.floor(at.getTime() / (days * DAY_MS)) * days * DAY_MS);
export const endOfPeriod = (at: Date, days: number): Date =>
  new Date(startOfPeriod(at, days).getTime() + days * DAY_MS);

/**
 * Creates the partitions of today and the days ahead, from the end of the newest one, and drops those past retention. DDL
 * waits only a moment for its lock, since every other statement waits behind it. A partition that could not be created is
 * retried at the next call, days before it is needed. Returns the tables whose default partition holds rows: something was
 * recorded on a day that had no partition.
 */
export async function keepPartitions(
  database: Database,
  tables: readonly PartitionedTable[],
  now: Date,
): Promise<string[]> {
  const needed = new Date(now.getTime() + DAYS_AHEAD * DAY_MS);
  const session = await database.connect();
  try {
    // Of several processes that start on an empty database, one creates them, and the others find them there.
    await session.query("select pg_advisory_lock($1::bigint)", [lockNumbers("partitions").session]);
    await session.query(`set lock_timeout = ${LOCK_WAIT_MS}`);
    const spilled: string[] = [];
    for (const { name, days, keepFrom } of tables) {
      const existing = await listPartitions(database, name);
      const newestEnd = Math.max(0, ...existing.map(({ until }) => until.getTime()));
      let from = new Date(Math.max(newestEnd, startOfPeriod(now, days).getTime()));
      while (dayOf(from) < dayOf(needed)) {
        const to = endOfPeriod(from, days);
        const partition = `${name}_${dayOf(from).replaceAll("-", "")}`;
        // 23514: the default partition holds rows of these days, and continues to; 42P07, 42P17, 23505: another process was first.
        await session
          .query(
            `create table ${partition} partition of ${name} for values from ('${dayOf(from)} 00:00Z') to ('${dayOf(to)} 00:00Z')`,
          )
          .catch((error: Error & { code?: string }) => {
            if (!["23514", "42P07", "42P17", "23505"].includes(error.code ?? "")) throw error;
          });
        from = to;
      }
      for (const { partition, until } of existing)
        if (keepFrom !== null && until <= keepFrom) await session.query(`drop table if exists ${partition}`);
      const rest = await session.query(`select 1 from ${name}_default limit 1`);
      if (rest.length > 0) spilled.push(name);
    }
    return spilled;
  } finally {
    await session.end();
  }
}

/** Lists all partitions but the default. */
const listPartitions = (database: Database, table: string) =>
  database.rows<{ partition: string; until: Date }>(sql`
    select p.partition, p.until::timestamptz as until from (
      select c.relname as partition, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO [(]''(.+)''[)]') as until
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass) p
    where p.until is not null`);
