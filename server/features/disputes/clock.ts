import type { Tenant } from "../../domain/callers.ts";
import { RestList } from "../../lib/restList.ts";
import type { Database } from "../../store/database.ts";
import type { ChainContext } from "../context.ts";
import { actIn } from "./actions.ts";
import { listDueByClock } from "./queries.ts";

/** Disputes per step, each in a transaction of its own. */
const BATCH_MAX = 100;
/** The first wait before a dispute is tried again whose change could not be recorded. */
const REST_FIRST_MS = 30_000;
const REST_MAX_MS = 3_600_000;

/**
 * The step that changes disputes by time alone (§4.18.4): talking ends, offers expire, agreements fail. Several workers may
 * run it: the second finds nothing due under the intent's lock. A dispute that cannot be changed does not hold up the others.
 */
export function createDisputeClock({ database, chain: { environment }, log }: ChainContext): () => Promise<boolean> {
  const resting = new RestList(REST_FIRST_MS, REST_MAX_MS);
  return async () => {
    const due = await listDueByClock(database, environment, resting.list(), BATCH_MAX);
    for (const { businessId, id } of due)
      await resting.attempt(
        id,
        () => moveClock(database, { businessId, environment }, id),
        (error) => log(`The dispute ${id} could not be changed by the clock and is tried again later.`, error),
      );
    return due.length === BATCH_MAX;
  };
}

const moveClock = (database: Database, tenant: Tenant, id: string) =>
  database.transaction((db) => actIn(db, tenant, id, () => ({ happening: { kind: "clock" } })));
