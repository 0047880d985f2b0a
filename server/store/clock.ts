import type { Environment } from "../domain/terms.ts";
import type { Db } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

/**
 * The environment's current time, by the database: real time, ahead of it only if a local chain's clock was advanced.
 * Statements that decide on it take it as a value read once, so that TypeScript and SQL agree to the millisecond.
 */
export const environmentNow = (environment: Environment | Sql): Sql =>
  sql`(date_trunc('milliseconds', clock_timestamp()) + (select ahead from clocks where environment = ${environment}))`;

/** The same for the statement's own conditions: the transaction's time, by which an index can be searched. */
export const statementNow = (environment: Environment | Sql): Sql =>
  sql`(now() + (select ahead from clocks where environment = ${environment}))`;

/** Reads {@link environmentNow}. */
export async function readNow(db: Db, environment: Environment): Promise<Date> {
  const row = await db.row<{ now: Date }>(sql`select ${environmentNow(environment)} as now`);
  return row!.now;
}

/** A time as milliseconds since the epoch, for a result that travels as JSON. */
export const epochMs = (time: Sql): Sql => sql`extract(epoch from ${time}) * 1000`;

/** Reads the database's own clock, of every environment. */
export async function readClock(db: Db): Promise<Date> {
  const row = await db.row<{ now: Date }>(sql`select clock_timestamp() as now`);
  return row!.now;
}
