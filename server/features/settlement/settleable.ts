import { isPayment } from "../../chain/port.ts";
import type { Database, Db } from "../../store/database.ts";
import type { Chain } from "../chains/chain.ts";
import { draftEvent, occurredAfter } from "../events/event.ts";
import { lockIntent } from "../intents/fragments.ts";
import { showPayment } from "../payments/payment.ts";
import { type DuePayment, findUnannounced, listSettleableUnannounced, recordSettleable } from "./queries.ts";

export interface SettlementDeps {
  readonly database: Database;
  readonly chain: Chain;
  /** Called with payments whose accounts are no longer what the books say: to be checked. */
  readonly onChanged: (addresses: readonly string[]) => Promise<void>;
}

const BATCH_MAX = 100;
const READ_MS = 10_000;
/** A payment that the chain does not show as settleable waits so long behind the others. */
const REST_MS = 30_000;
const RESTING_MAX = 10_000;

/** The step that records one event for each payment that can be settled now, after checking that it is still protected and undecided on chain. */
export function createSettleableStep(deps: SettlementDeps): (stopping: AbortSignal) => Promise<boolean> {
  const restingUntil = new Map<string, number>();
  return async (stopping) => {
    for (const [address, untilMs] of restingUntil) if (untilMs <= Date.now()) restingUntil.delete(address);
    const changed = await announceSettleable(deps, [...restingUntil.keys()], stopping);
    for (const address of changed.addresses.slice(0, RESTING_MAX - restingUntil.size))
      restingUntil.set(address, Date.now() + REST_MS);
    return changed.mayBeMore;
  };
}

async function announceSettleable(
  { database, chain, onChanged }: SettlementDeps,
  resting: readonly string[],
  stopping: AbortSignal,
): Promise<{ readonly addresses: readonly string[]; readonly mayBeMore: boolean }> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const due = await listSettleableUnannounced(database, chain.environment, resting, BATCH_MAX);
  if (due.length === 0) return { addresses: [], mayBeMore: false };
  const { value: accounts } = await chain.reader.fetchPayments(
    due.map((payment) => payment.address),
    { signal },
  );
  const changed: string[] = [];
  for (const [index, payment] of due.entries()) {
    const account = accounts[index] ?? null;
    if (isPayment(account) && account.status === "protected" && account.outcome === null)
      await database.transaction((db) => announce(db, chain, payment));
    else changed.push(payment.address);
  }
  if (changed.length > 0) await onChanged(changed);
  return { addresses: changed, mayBeMore: due.length === BATCH_MAX };
}

/** Records the event under the intent's lock, unless the payment has changed since it was listed. */
async function announce(db: Db, { environment }: Chain, due: DuePayment): Promise<void> {
  const tenant = { businessId: due.business_id, environment };
  const locked = await lockIntent(db, tenant, due.intent_id);
  const found = await findUnannounced(db, tenant, due.address);
  if (locked === null || found === null) return;
  const payment = { ...found.payment, checkedAt: locked.now };
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
      object: showPayment(payment, locked.now),
      before: showPayment(payment, new Date(payment.protectionDeadline.getTime() - 1)),
    },
    locked.now,
  );
  await recordSettleable(db, tenant, payment, event);
}
