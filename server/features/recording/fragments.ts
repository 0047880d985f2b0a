import { type Sql, sql } from "../../store/sql.ts";

/** Failed attempts, half a minute of them, from which on a transaction counts as one that no node can give. */
export const UNREADABLE_ATTEMPTS = 6;

/** The rows of `chain_inbox` of such transactions. */
export const isUnreadable = (environment: Sql): Sql =>
  sql`environment = ${environment} and not processed and attempts >= ${UNREADABLE_ATTEMPTS}::integer`;
