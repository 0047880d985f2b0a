import type { Environment } from "../domain/terms.ts";
import { type Sql, sql } from "./sql.ts";

/**
 * The environment's present, by the database: real time, ahead of it only where a local chain's clock was advanced.
 * Statements that decide on it take it as a value read once, so that TypeScript and SQL agree to the millisecond.
 */
export const environmentNow = (environment: Environment): Sql =>
  sql`(date_trunc('milliseconds', clock_timestamp()) + (select ahead from clocks where environment = ${environment}))`;

/** A time as milliseconds since the epoch, for a result that travels as JSON. */
export const epochMs = (time: Sql): Sql => sql`extract(epoch from ${time}) * 1000`;
