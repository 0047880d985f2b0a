import type { Environment } from "../../../domain/terms.ts";
import { RestList } from "../../../lib/restList.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import { draftEvent } from "../../events/event.ts";
import { followDispute } from "./followDispute.ts";
import { type IntentTenant, listWithoutDispute, lockIntentState, writeChanges } from "./queries.ts";
import type { RecordingDeps } from "./record.ts";

/** Payments per step, each in a transaction of its own. */
const BATCH_MAX = 100;

/** The waits after a payment that failed, each twice the last: with eight tries, an hour until it waits for a restart. */
const REST_FIRST_MS = 30_000;
const REST_MAX_MS = 3_600_000;
const TRIES_MAX = 8;
/** Payments that may fail before the rest waits for a restart. */
const FAILED_MAX = 100;

/**
 * The step that opens the disputes of payments that were recorded as disputed by a service that kept none. It runs until
 * there is none: from then on recording opens each with its dispute. A payment that fails is tried again later.
 */
export function createDisputeOpener(
  deps: Pick<RecordingDeps, "database" | "log"> & { readonly now?: () => number },
  environment: Environment,
): () => Promise<boolean> {
  const { now = () => performance.now() } = deps;
  const resting = new RestList(REST_FIRST_MS, REST_MAX_MS, { now });
  /** Failures by address. */
  const failed = new Map<string, number>();
  const givenUp = () => [...failed].filter(([, tries]) => tries >= TRIES_MAX).map(([address]) => address);
  let isDone = false;
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (isDone || now() < nextAt) return false;
    const skipped = [...new Set([...resting.list(), ...givenUp()])];
    const found = await listWithoutDispute(deps.database, environment, skipped, BATCH_MAX);
    for (const { businessId, intentId, address } of found)
      try {
        await openDispute(deps, { businessId, environment, intentId }, address);
        failed.delete(address);
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error;
        failed.set(address, (failed.get(address) ?? 0) + 1);
        resting.rest(address);
        deps.log(`The dispute of ${address} could not be opened.`, error);
      }
    const hasMore = found.length === BATCH_MAX;
    // What is listed no more was opened by recording.
    const listed = new Set([...skipped, ...found.map(({ address }) => address)]);
    if (!hasMore) for (const address of failed.keys()) if (!listed.has(address)) failed.delete(address);
    isDone = failed.size > FAILED_MAX || (!hasMore && givenUp().length === failed.size);
    // Nothing but what rests is left, so the list is not read every second.
    if (!hasMore) nextAt = now() + REST_FIRST_MS;
    return !isDone && hasMore;
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
