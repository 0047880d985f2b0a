import type { Environment } from "../../../domain/terms.ts";
import type { Log } from "../../../lib/log.ts";
import { statementNow } from "../../../store/clock.ts";
import type { Database } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { describeHold } from "../../chains/chain.ts";
import { isUnreadable } from "../fragments.ts";
import { findHold } from "../queries.ts";

/** Nodes show a block as final within some 15 seconds. The alert has the same bound. */
const BEHIND_SECONDS_MAX = 60;

/** The step that logs once when final blocks have long been unprocessed, and once when they are processed again. */
export function createBehindWatch(database: Database, environment: Environment, log: Log): () => Promise<boolean> {
  let isBehind = false;
  return async () => {
    const row = await database.row<{ seconds: number | null; holding: string; oldest: string | null }>(sql`
      select extract(epoch from ${statementNow(environment)} - watermark)::float as seconds, u.holding, u.oldest
      from chains cross join (
        select count(*) as holding, (array_agg(signature order by slot))[1] as oldest
        from chain_inbox where ${isUnreadable(sql`${environment}`)}) u
      where environment = ${environment}`);
    const seconds = Math.round(row?.seconds ?? 0);
    const isBehindNow = seconds > BEHIND_SECONDS_MAX;
    if (isBehindNow && !isBehind) {
      const hold = await findHold(database, environment);
      log(
        `${environment} chain: everything is processed only up to ${seconds} seconds ago. Until that is less, no intent is announced as expired.${hold === null ? "" : ` ${describeHold(hold)}`}${describeUnreadable(row)}`,
        undefined,
        "warn",
      );
    }
    if (!isBehindNow && isBehind)
      log(`${environment} chain: everything is processed up to ${seconds} seconds ago again.`);
    isBehind = isBehindNow;
    return false;
  };
}

/** These transactions hold the watermark, since their payments are unknown. */
const describeUnreadable = (row: { holding: string; oldest: string | null } | null): string =>
  row === null || row.oldest === null
    ? ""
    : ` Of ${row.holding} transactions, ${row.oldest} the oldest, no node gives what is needed: a node with a whole history does, and the daily scan of all accounts makes up for them.`;
