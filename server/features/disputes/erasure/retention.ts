import { RestList } from "../../../lib/restList.ts";
import type { Context } from "../../context.ts";
import { erase } from "./actions.ts";
import { listKept } from "./queries.ts";

/** Disputes per step, each in a transaction of its own. */
const BATCH_MAX = 50;
/** The first wait before a dispute is tried again that could not be erased. */
const REST_FIRST_MS = 3_600_000;
const REST_MAX_MS = 86_400_000;

/** The step that erases texts and files at the end of their time (§17.6), `retentionDays` after the dispute. Returns true when more may be due. */
export function createRetentionStep({ database, log }: Context, retentionDays: number): () => Promise<boolean> {
  const resting = new RestList(REST_FIRST_MS, REST_MAX_MS);
  const wanted = { part: "dispute", target: null, cause: "retention", note: null, erasedBy: "service" } as const;
  return async () => {
    const due = await listKept(database, retentionDays, resting.list(), BATCH_MAX);
    for (const kept of due)
      await resting.attempt(
        kept.id,
        () => database.transaction((db) => erase(db, kept, kept, wanted)),
        (error) =>
          log(`The texts of the dispute ${kept.id} could not be erased. The service tries again later.`, error),
      );
    return due.length === BATCH_MAX;
  };
}
