import { isPayment } from "../../chain/port.ts";
import type { Database, Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import type { Chain } from "../chains/chain.ts";
import { draftEvent, occurredAfter } from "../events/event.ts";
import { recordEvents } from "../events/fragments.ts";
import { lockIntent } from "../intents/fragments.ts";
import { type PaymentRow, readPaymentRow, showPayment } from "../payments/payment.ts";
import { type DuePayment, listSettleableUnannounced } from "./queries.ts";

export interface Settling {
  readonly database: Database;
  readonly chain: Chain;
  /** Asks that the payments' accounts be checked, since they are no longer what the books say. */
  readonly onChanged: (addresses: readonly string[]) => Promise<void>;
}

const BATCH_MAX = 100;
const READ_MS = 10_000;

/** Records one event for each payment that can be settled now, after checking that it is still protected on chain. */
export async function announceSettleable(
  { database, chain, onChanged }: Settling,
  stopping: AbortSignal,
): Promise<boolean> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const due = await listSettleableUnannounced(database, chain.environment, BATCH_MAX);
  if (due.length === 0) return false;
  const { value: accounts } = await chain.reader.fetchPayments(
    due.map((payment) => payment.address),
    { signal },
  );
  const changed: string[] = [];
  for (const [index, payment] of due.entries()) {
    const account = accounts[index] ?? null;
    if (isPayment(account) && account.status === "protected")
      await database.transaction((db) => tell(db, chain, payment));
    else changed.push(payment.address);
  }
  if (changed.length > 0) await onChanged(changed);
  return due.length === BATCH_MAX && changed.length < BATCH_MAX;
}

async function tell(db: Db, { environment }: Chain, due: DuePayment): Promise<void> {
  const tenant = { businessId: due.business_id, environment };
  const locked = await lockIntent(db, tenant, due.intent_id);
  const row = await db.row<PaymentRow & { generation: number }>(sql`
    select * from payments
    where business_id = ${due.business_id} and address = ${due.address} and status = 'protected' and not settleable_event_sent`);
  if (locked === null || row === null) return;
  const payment = readPaymentRow(row);
  const event = draftEvent(
    tenant,
    {
      type: "payment.settleable",
      objectId: payment.id,
      generation: row.generation,
      transition: "payment.settleable",
      intentId: payment.intentId,
      paymentAddress: payment.id,
      occurredAt: occurredAfter(locked.lastOccurredAt, payment.protectionDeadline),
      object: showPayment({ ...payment, checkedAt: locked.now }, locked.now),
      before: showPayment({ ...payment, checkedAt: locked.now }, new Date(payment.protectionDeadline.getTime() - 1)),
    },
    locked.now,
  );
  await db.rows(sql`
    with changed as (
      update payments set settleable_event_sent = true, checked_at = ${locked.now}
      where business_id = ${due.business_id} and address = ${due.address}
      returning address),
    intent as (
      update intents set last_occurred_at = ${event.pendingEvent.occurredAt}
      where business_id = ${due.business_id} and id = ${due.intent_id}),
    ${recordEvents([event], sql`exists (select from changed)`)}
    select sequence from recorded_events`);
}
