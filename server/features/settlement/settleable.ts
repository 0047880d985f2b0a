import { isPayment } from "../../chain/port.ts";
import type { Log } from "../../lib/log.ts";
import { RestList } from "../../lib/restList.ts";
import type { Database, Db } from "../../store/database.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import type { Chain } from "../chains/chain.ts";
import { draftEvent, occurredAfter } from "../events/event.ts";
import { lockIntent } from "../intents/fragments.ts";
import { announcedOf, showAnnounced, showPayment } from "../payments/payment.ts";
import { type DuePayment, findUnannounced, listSettleableUnannounced, recordSettleable } from "./queries.ts";

export interface SettlementDeps {
  readonly database: Database;
  readonly chain: Chain;
  /** Called with payments whose accounts are no longer what the books say: to be checked. */
  readonly onChanged: (addresses: readonly string[]) => Promise<void>;
  readonly log: Log;
}

const BATCH_MAX = 100;
const READ_MS = 10_000;
/** A payment that the chain does not show as settleable, or whose event cannot be recorded, waits so long behind the others. */
const REST_MS = 30_000;

/**
 * The step that records one event for each payment that can be settled now, after checking that it is still protected and
 * undecided on chain. A payment whose event cannot be recorded does not hold up the others, which the keeper pays out only
 * after it.
 */
export function createSettleableStep(deps: SettlementDeps): (stopping: AbortSignal) => Promise<boolean> {
  const resting = new RestList(REST_MS, REST_MS);
  return (stopping) => announceSettleable(deps, resting, stopping);
}

async function announceSettleable(
  { database, chain, onChanged, log }: SettlementDeps,
  resting: RestList,
  stopping: AbortSignal,
): Promise<boolean> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const due = await listSettleableUnannounced(database, chain.environment, resting.list(), BATCH_MAX);
  if (due.length === 0) return false;
  const { value: accounts } = await chain.reader.fetchPayments(
    due.map((payment) => payment.address),
    { signal },
  );
  const changed: string[] = [];
  for (const [index, payment] of due.entries()) {
    const account = accounts[index] ?? null;
    if (isPayment(account) && account.status === "protected" && account.outcome === null)
      try {
        await database.transaction((db) => announce(db, chain, payment));
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error;
        log(`That ${payment.address} can be settled could not be recorded and is tried again later.`, error);
        resting.rest(payment.address);
      }
    else changed.push(payment.address);
  }
  for (const address of changed) resting.rest(address);
  if (changed.length > 0) await onChanged(changed);
  return due.length === BATCH_MAX;
}

/** Records the event under the intent's lock, unless the payment has changed since it was listed. */
async function announce(db: Db, { environment }: Chain, due: DuePayment): Promise<void> {
  const tenant = { businessId: due.business_id, environment };
  const locked = await lockIntent(db, tenant, due.intent_id);
  const found = await findUnannounced(db, tenant, due.address);
  if (locked === null || found === null) return;
  const payment = { ...found.payment, checkedAt: locked.now };
  const object = showPayment(payment, locked.now);
  const event = draftEvent(
    tenant,
    {
      type: "payment.settleable",
      objectId: payment.id,
      generation: found.generation,
      transition: "payment.settleable",
      intentId: payment.intentId,
      paymentAddress: payment.id,
      occurredAt: occurredAfter(locked.lastOccurredAt, payment.protectionDeadline),
      object,
      before: showAnnounced(payment, found.announced),
    },
    locked.now,
  );
  await recordSettleable(db, tenant, payment, event, announcedOf(payment, object));
}
