import type { Accounts } from "../../../store/accounts.ts";
import type { Database } from "../../../store/database.ts";
import { findArbiters } from "../../staff/fragments.ts";
import { endHolds, listHolders } from "./queries.ts";

const HOLDERS_MAX = 1_000;

/**
 * The step that puts cases whose holder is no arbiter any more back into the queue: nobody else could claim them or hand them
 * over. Whoever takes the role away does so at once; this makes up for a process that ended in between.
 */
export async function endFormerHolds(database: Database, accounts: Accounts): Promise<boolean> {
  const holders = (await listHolders(database, HOLDERS_MAX)).map(({ userId }) => userId);
  if (holders.length === 0) return false;
  const arbiters = await findArbiters(accounts, holders);
  const former = holders.filter((id) => !arbiters.has(id));
  if (former.length > 0) await endHolds(database, former);
  return false;
}
