import { type Sql, sql } from "../../store/sql.ts";

/** After this many failed attempts, half a minute, a transaction counts as unreadable: no node returns it. */
export const UNREADABLE_ATTEMPTS = 6;

/** The rows of `chain_inbox` of unreadable transactions. */
export const isUnreadable = (environment: Sql): Sql =>
  sql`environment = ${environment} and not processed and attempts >= ${UNREADABLE_ATTEMPTS}::integer`;
