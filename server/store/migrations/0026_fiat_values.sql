-- The value of payments in a business's reporting currency, on the day on which funds moved. Nothing that moves funds reads it.

alter table businesses
  -- The currency in which its books show values. Null: they show none.
  add column reporting_currency text collate "C" check (reporting_currency ~ '^[A-Z]{3}$'),
  -- The time zone of its exports. Null: UTC.
  add column time_zone text collate "C" check (length(time_zone) between 1 and 64);

-- What one euro was worth in a currency on a day. The euro itself has a row of 1 for each day. A row is never changed.
create table fiat_rates (
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  rate numeric not null check (rate > 0),
  source text collate "C" not null check (source in ('ecb', 'file')),
  primary key (currency, day)
);

-- Movements of funds of a business with a reporting currency, each with its value there.
create table fiat_entries (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  payment text collate "C" not null,
  -- The ordinal in the payment's entries.
  number integer not null check (number > 0),
  kind text collate "C" not null check (kind in ('payment', 'release', 'refund')),
  asset text collate "C" not null,
  amount token_amount not null,
  occurred_at timestamptz not null,
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  -- Null together: there is no value, or none yet.
  value numeric check (value >= 0),
  rate numeric check (rate > 0),
  -- 'par': the token stands for this currency, so no rate was needed.
  source text collate "C" check (source in ('par', 'ecb', 'file')),
  rate_day date,
  -- A fork took the movement back, or the chain has it at another time.
  reversed_at timestamptz,
  -- The value is in the sums of days.
  is_counted boolean not null default false,
  -- When a worker looks at it next. Null: its value is decided, for good.
  due_at timestamptz,
  primary key (business_id, environment, payment, number),
  check ((value is null) = (rate is null) and (value is null) = (source is null) and (value is null) = (rate_day is null)),
  check (value is not null or not is_counted),
  check (due_at is null or value is null or reversed_at is not null)
);
create index fiat_entries_due on fiat_entries (due_at) where due_at is not null;

-- The sums of the values by token, day of UTC, currency and kind.
create table fiat_days (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  currency text collate "C" not null,
  asset text collate "C" not null,
  kind text collate "C" not null check (kind in ('payment', 'release', 'refund')),
  day date not null,
  value numeric not null,
  entries integer not null,
  primary key (business_id, environment, currency, asset, kind, day)
) with (fillfactor = 70);

-- Writes the entries of a change of a payment in its own transaction, whichever statement makes it. The row of the payment is
-- locked by then, so the ordinals have no gap and no race.
create function record_fiat_entries() returns trigger language plpgsql as $$
declare
  chosen text;
  last integer;
begin
  if tg_op <> 'INSERT' then
    update fiat_entries e set reversed_at = now(), due_at = now()
    where e.business_id = old.business_id and e.environment = old.environment and e.payment = old.address
      and e.reversed_at is null
      and (tg_op = 'DELETE'
        or (e.kind = 'payment' and new.created_at <> old.created_at)
        or (e.kind = 'release'
          and (new.amount_released, new.settled_at) is distinct from (old.amount_released, old.settled_at))
        or (e.kind = 'refund' and new.amount_refunded < old.amount_refunded));
  end if;
  if tg_op = 'DELETE' then
    return null;
  end if;
  select b.reporting_currency into chosen from businesses b where b.id = new.business_id;
  if chosen is null then
    return null;
  end if;
  select coalesce(max(e.number), 0) into last from fiat_entries e
  where e.business_id = new.business_id and e.environment = new.environment and e.payment = new.address;
  insert into fiat_entries (business_id, environment, payment, number, kind, asset, amount, occurred_at, currency, due_at)
  select new.business_id, new.environment, new.address, last + row_number() over (order by m.kind), m.kind, new.asset,
    m.amount, m.at, chosen, now()
  from (values
    ('payment', case when old.created_at is distinct from new.created_at then new.amount end, new.created_at),
    ('release', case when (new.amount_released, new.settled_at) is distinct from (old.amount_released, old.settled_at)
      then new.amount_released end, new.settled_at),
    ('refund', new.amount_refunded
      - case when new.amount_refunded < old.amount_refunded then 0 else coalesce(old.amount_refunded, 0) end, new.refunded_at)
  ) m (kind, amount, at)
  where m.amount > 0 and m.at is not null;
  return null;
end $$;
create trigger payments_fiat_added after insert or delete on payments
  for each row execute function record_fiat_entries();
create trigger payments_fiat_changed after update on payments
  for each row when (
    (old.created_at, old.amount_released, old.settled_at, old.amount_refunded)
      is distinct from (new.created_at, new.amount_released, new.settled_at, new.amount_refunded))
  execute function record_fiat_entries();
