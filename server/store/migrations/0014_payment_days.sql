-- A tenant's payments by token and day, in UTC, for the home page. The statement that writes a change of a payment moves its
-- share from where it was to where it is, so the sums are those of the rows of `payments`, and nothing has to add them up.
-- No check keeps a sum above 0: a wrong one must not stop the recording of a payment.
create table payment_days (
  business_id text collate "C" not null,
  environment environment not null,
  asset text collate "C" not null,
  -- The sums of all days are in the row of the day 'infinity'.
  day date not null,
  -- By the day on which they were made.
  received numeric not null default 0,
  received_payments integer not null default 0,
  -- By the day on which the recipient's part left.
  released numeric not null default 0,
  released_payments integer not null default 0,
  -- By the day on which the latest part went back.
  refunded numeric not null default 0,
  refunded_payments integer not null default 0,
  -- The recipient's part of what is still protected, by the day of the deadline.
  due numeric not null default 0,
  due_payments integer not null default 0,
  -- The recipient's part of what is in dispute, or decided and still in the escrow: both without a day.
  disputed numeric not null default 0,
  disputed_payments integer not null default 0,
  decided numeric not null default 0,
  decided_payments integer not null default 0,
  primary key (business_id, environment, asset, day)
) with (fillfactor = 70);
-- The tokens of a tenant.
create index payment_days_assets on payment_days (business_id, environment) where day = 'infinity';

-- The days of a month are made together, one behind the other, so that a chart reads a few pages and not one for each day.
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
from placed group by business_id, environment, asset, day order by business_id, environment, asset, day;

-- Payments to a business's recipients that match no order.
create index unmatched_payments_recipient on unmatched_payments (environment, recipient, protection_deadline)
  where status in ('protected', 'disputed');
