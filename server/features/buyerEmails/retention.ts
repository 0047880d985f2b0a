import { ENVIRONMENTS, type Environment } from "../../domain/terms.ts";
import type { Database } from "../../store/database.ts";
import { eraseAtOf } from "./buyerEmail.ts";
import { eraseAddress, hasMoreErasable, listErasable, moveErasure, purgeUnused, readPaid } from "./queries.ts";

/** A payment that has not ended is looked at again after this time. */
const AGAIN_MS = 86_400_000;

/** The step that erases addresses of buyers on their day (§4.22). */
export const createAddressErasure = (database: Database) => async (): Promise<boolean> => {
  await purgeUnused(database);
  const hasMore = await Promise.all(ENVIRONMENTS.map((environment) => eraseDue(database, environment)));
  return hasMore.includes(true);
};

const eraseDue = (database: Database, environment: Environment): Promise<boolean> =>
  database.transaction(async (db) => {
    const due = await listErasable(db, environment);
    const found = await readPaid(
      db,
      due.map(({ intentId }) => intentId),
    );
    for (const { intent, payment, now } of found) {
      const eraseAt = eraseAtOf(intent, payment) ?? new Date(now.getTime() + AGAIN_MS);
      if (eraseAt <= now) await eraseAddress(db, intent, intent.id);
      else await moveErasure(db, intent, intent.id, eraseAt);
    }
    return hasMoreErasable(due);
  });
