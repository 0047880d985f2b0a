import type { Chain } from "../../chain/chain.ts";
import { fetchAccountsOrLeave, UnreadList } from "../../chain/fetchOrLeave.ts";
import { isPayment } from "../../chain/port.ts";
import { RestList } from "../../lib/restList.ts";
import type { Db } from "../../store/database.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import type { ChainContext } from "../context.ts";
import { draftEvent, occurredAfter } from "../events/event.ts";
import { lockIntent } from "../intents/fragments.ts";
import { announcedOf, showAnnounced, showPayment } from "../payments/payment.ts";
import { type DuePayment, findUnannounced, listSettleableUnannounced, recordSettleable } from "./queries.ts";

const BATCH_MAX = 100;
const READ_MS = 10_000;
/** The first wait of a payment that is not settleable on chain, or whose event cannot be recorded. */
const REST_MS = 30_000;

/** Called with payments whose accounts differ from the books, to have them checked. */
export type OnChanged = (addresses: readonly string[]) => Promise<void>;

interface Resting {
  readonly unsettleable: RestList;
  readonly unread: UnreadList;
}

/**
 * The step that records one event for each payment that can be settled now, after checking that it is still protected
 * and undecided on chain. A payment that cannot be read, or whose event cannot be recorded, does not delay the others.
 * The keeper pays out a payment only after its event.
 */
export function createSettleableStep(
  ctx: ChainContext,
  onChanged: OnChanged,
): (stopping: AbortSignal) => Promise<boolean> {
  const resting = {
    unsettleable: new RestList(REST_MS, REST_MS),
    unread: new UnreadList(`${ctx.chain.environment} settleable: the account of a payment`, ctx.log),
  };
  return (stopping) => announceSettleable(ctx, onChanged, resting, stopping);
}

async function announceSettleable(
  { database, chain, checkoutUrl, log }: ChainContext,
  onChanged: OnChanged,
  { unsettleable, unread }: Resting,
  stopping: AbortSignal,
): Promise<boolean> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const resting = [...unsettleable.list(), ...unread.list()];
  const due = await listSettleableUnannounced(database, chain.environment, resting, BATCH_MAX);
  if (due.length === 0) return false;
  const addresses = due.map(({ id }) => id);
  const accounts = unread.record(await fetchAccountsOrLeave(chain.reader, addresses, { signal }));
  const byAddress = new Map(due.map((payment) => [payment.id, payment]));
  const changed: string[] = [];
  for (const { address, account } of accounts) {
    const payment = byAddress.get(address)!;
    if (isPayment(account) && account.status === "protected" && account.outcome === null)
      try {
        await database.transaction((db) => announce(db, chain, payment, checkoutUrl));
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error;
        log(`That ${payment.id} can be settled could not be recorded and is tried again later.`, error);
        unsettleable.rest(payment.id);
      }
    else changed.push(payment.id);
  }
  for (const address of changed) unsettleable.rest(address);
  if (changed.length > 0) await onChanged(changed);
  return due.length === BATCH_MAX;
}

/** Records the event under the intent's lock, unless the payment has changed since the list was read. */
async function announce(db: Db, { environment }: Chain, due: DuePayment, checkoutUrl: string): Promise<void> {
  const tenant = { businessId: due.businessId, environment };
  const locked = await lockIntent(db, tenant, due.intentId);
  const found = await findUnannounced(db, tenant, due.id);
  if (locked === null || found === null) return;
  const payment = { ...found.payment, checkedAt: locked.now };
  const object = showPayment(payment, locked.now, checkoutUrl);
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
      before: showAnnounced(payment, found.announced, checkoutUrl),
    },
    locked.now,
  );
  await recordSettleable(db, tenant, payment, event, announcedOf(payment, object, checkoutUrl));
}
