import type { ChainPayment } from "../../chain/port.ts";
import { PROTECTION_SECONDS } from "../../domain/terms.ts";
import type { Database } from "../../store/database.ts";
import type { Intent } from "../intents/intent.ts";
import { recordAccounts } from "../recording/decide/record.ts";
import { anObservedPayment, CHECKOUT_URL } from "../recording/fixtures.ts";
import { someAddress, someSignature } from "../staff/testing/objects.ts";
import { testContext } from "../testing.ts";

/**
 * The sums of `payment_days`, made anew from the rows of `payments`. The days of a month are made together, one behind the
 * other, so that a chart reads a few pages and not one for each day.
 */
export const FILL_DAYS = `
  insert into payment_days (business_id, environment, asset, day, received, received_payments, released, released_payments,
    refunded, refunded_payments, due, due_payments, disputed, disputed_payments, decided, decided_payments)
  with shares as materialized (
    select p.business_id, p.environment::environment as environment, p.asset, s.kind, s.amount,
      (s.at at time zone 'UTC')::date as day
    from payments p cross join lateral (values
      ('received', p.created_at, p.amount),
      ('released', p.settled_at, p.amount_released::numeric),
      ('refunded', p.refunded_at, p.amount_refunded::numeric),
      ('due', p.protection_deadline, case when p.status = 'protected' and p.outcome is null then p.amount - p.refund_total end),
      ('disputed', null, case when p.status = 'disputed' and p.outcome is null then p.amount - p.refund_total end),
      ('decided', null, case when p.outcome is not null and p.amount_released = 0 then p.amount - p.refund_total end)
    ) s (kind, at, amount)
    where s.amount > 0),
  placed as (
    select business_id, environment, asset, kind, amount, day from shares where day is not null
    union all
    select business_id, environment, asset, kind, amount, 'infinity' from shares
    union all
    select m.business_id, m.environment, m.asset, null, null, n::date
    from (select distinct business_id, environment, asset, date_trunc('month', day::timestamp) as month from shares where day is not null) m
      cross join lateral generate_series(m.month, m.month + interval '1 month' - interval '1 day', interval '1 day') n)
  select business_id, environment, asset, day,
    coalesce(sum(amount) filter (where kind = 'received'), 0), count(*) filter (where kind = 'received'),
    coalesce(sum(amount) filter (where kind = 'released'), 0), count(*) filter (where kind = 'released'),
    coalesce(sum(amount) filter (where kind = 'refunded'), 0), count(*) filter (where kind = 'refunded'),
    coalesce(sum(amount) filter (where kind = 'due'), 0), count(*) filter (where kind = 'due'),
    coalesce(sum(amount) filter (where kind = 'disputed'), 0), count(*) filter (where kind = 'disputed'),
    coalesce(sum(amount) filter (where kind = 'decided'), 0), count(*) filter (where kind = 'decided')
  from placed group by business_id, environment, asset, day order by business_id, environment, asset, day`;

/** Records the accounts of intents' payments as the sweep does: protected, but for the changes. Returns the addresses. */
export async function recordPayments(
  database: Database,
  intents: readonly Intent[],
  changes: Partial<ChainPayment> = {},
): Promise<string[]> {
  const createdAt = changes.createdAt ?? new Date(Math.floor(Date.now() / 1_000) * 1_000);
  const accounts = intents.map((intent) => {
    const { recipient, amount, asset, protectionPeriod, paymentId } = intent;
    const terms = { recipient, amount, asset, protectionPeriod, paymentId };
    const deadline = new Date(createdAt.getTime() + PROTECTION_SECONDS[protectionPeriod] * 1_000);
    const sender = someAddress();
    const observed = anObservedPayment({
      address: someAddress(),
      sender,
      rentPayer: sender,
      arbiter: someAddress(),
      ...terms,
      createdAt,
      protectionDeadline: deadline,
      ...changes,
    });
    return { ...observed, signature: someSignature() };
  });
  const ctx = testContext({ database, checkoutUrl: CHECKOUT_URL });
  if (intents[0] !== undefined) await recordAccounts(ctx, intents[0].environment, accounts);
  return accounts.map(({ payment }) => payment.address);
}

export async function recordPayment(
  database: Database,
  intent: Intent,
  changes: Partial<ChainPayment> = {},
): Promise<string> {
  const [address] = await recordPayments(database, [intent], changes);
  return address!;
}
