import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

/** Tables in daily partitions, by real recording time in UTC; names are ours and safe to stand in DDL. */
export interface DailyTable {
  readonly name: string;
  /** Partitions that end before this are dropped; null: none. */
  readonly keepFrom: Date | null;
}

const DAYS_AHEAD = 4;
const DAY_MS = 86_400_000;
const LOCK_WAIT_MS = 200;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * Makes the partitions of today and the days ahead, and drops those past keeping. DDL waits only a moment for its
 * lock, since everybody else waits behind it; what it did not get is tried again at the next call, days before it is needed. Answers with the names of
 * tables whose default partition holds rows: something was recorded on a day that had no partition.
 */
export async function keepPartitions(database: Database, tables: readonly DailyTable[], now: Date): Promise<string[]> {
  const session = await database.connect();
  try {
    await session.query(`set lock_timeout = ${LOCK_WAIT_MS}`);
    const spilled: string[] = [];
    for (const { name, keepFrom } of tables) {
      const found = await database.rows<{ partition: string }>(sql`
        select c.relname as partition from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = ${name}::regclass`);
      const existing = new Set(found.map((row) => row.partition));
      for (let ahead = 0; ahead < DAYS_AHEAD; ahead++) {
        const from = dayOf(new Date(now.getTime() + ahead * DAY_MS));
        const partition = `${name}_${from.replaceAll("-", "")}`;
        if (existing.has(partition)) continue;
        const to = dayOf(new Date(now.getTime() + (ahead + 1) * DAY_MS));
        // 23514: the default holds rows of that day already, and goes on to; 42P07, 23505: another process was first.
        await session
          .query(
            `create table ${partition} partition of ${name} for values from ('${from} 00:00Z') to ('${to} 00:00Z')`,
          )
          .catch((error: Error & { code?: string }) => {
            if (!["23514", "42P07", "23505"].includes(error.code ?? "")) throw error;
          });
      }
      if (keepFrom !== null)
        for (const partition of existing)
          if (endOf(partition) <= keepFrom.getTime()) await session.query(`drop table if exists ${partition}`);
      const rest = await session.query(`select 1 from ${name}_default limit 1`);
      if (rest.length > 0) spilled.push(name);
    }
    return spilled;
  } finally {
    await session.end();
  }
}

/** When a partition's day ends; never for one that is no day. */
function endOf(partition: string): number {
  const match = /_(\d{4})(\d{2})(\d{2})$/.exec(partition);
  return match === null ? Number.POSITIVE_INFINITY : Date.UTC(+match[1]!, +match[2]! - 1, +match[3]! + 1);
}
