import type { Environment } from "../../../domain/terms.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import { draftEvent } from "../../events/event.ts";
import { followDispute } from "./followDispute.ts";
import { type IntentTenant, listWithoutDispute, lockIntentState, writeChanges } from "./queries.ts";
import type { RecordingDeps } from "./record.ts";

/** Payments per step, each in a transaction of its own. */
const BATCH_MAX = 100;

/**
 * The step that opens the cases of payments whose dispute was recorded by a service that knew no cases. It runs until
 * there is none: from then on recording opens each with its dispute.
 */
export function createDisputeOpener(
  deps: Pick<RecordingDeps, "database" | "log">,
  environment: Environment,
): () => Promise<boolean> {
  let isDone = false;
  const failed = new Set<string>();
  return async () => {
    if (isDone) return false;
    const found = await listWithoutDispute(deps.database, environment, [...failed], BATCH_MAX);
    for (const { businessId, intentId, address } of found)
      try {
        await openDispute(deps, { businessId, environment, intentId }, address);
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error;
        failed.add(address);
        deps.log(`The dispute of ${address} could not be opened.`, error);
      }
    isDone = found.length < BATCH_MAX || failed.size > BATCH_MAX;
    return !isDone;
  };
}

const openDispute = ({ database }: Pick<RecordingDeps, "database">, tenant: IntentTenant, address: string) =>
  database.transaction(async (db) => {
    const locked = await lockIntentState(db, { tenant, observed: [] });
    const payment = locked?.state.payments.find(({ id }) => id === address);
    if (locked === null || payment === undefined) return;
    const { state, now } = locked;
    const opened = followDispute(state, { state, payment, pendingEvents: [] }, now);
    const events = opened.pendingEvents.map((pendingEvent) => draftEvent(tenant, pendingEvent, now));
    const change = { tenant, before: state, state: opened.state, added: [], updated: [], events };
    await writeChanges(db, tenant.environment, [change]);
  });
