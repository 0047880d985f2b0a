-- The books of a business: sums of its payments by day, their comparison with the chain, and values in its reporting currency.

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

-- The comparisons of each tenant's books with the records and vaults of its open payments on chain, the last and the next.
create table books_checks (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  -- A worker makes it until then; past it, the worker is taken for dead, or the nodes have had time to come back.
  leased_until timestamptz,
  -- When a member last asked for one that has not been made yet.
  asked_at timestamptz,
  -- When the last one began and ended. Null: none has ended.
  began_at timestamptz,
  checked_at timestamptz,
  -- The differences that it found; a gift is none.
  differences integer not null default 0 check (differences >= 0),
  primary key (business_id, environment),
  check ((began_at is null) = (checked_at is null) and began_at <= checked_at)
);
create index books_checks_asked on books_checks (environment, asked_at) where asked_at is not null;

-- The sums of the last comparison by token. All slots are null where no payment was open.
create table books_assets (
  business_id text collate "C" not null,
  environment environment not null,
  asset text collate "C" not null,
  payments integer not null check (payments >= 0),
  -- What was still to leave by the books, and what the vaults held.
  held numeric not null check (held >= 0),
  vaults numeric not null check (vaults >= 0),
  -- The part of it that is more than is to leave.
  gifts numeric not null check (gifts between 0 and vaults),
  gift_payments integer not null check (gift_payments between 0 and payments),
  slot_min bigint,
  slot_max bigint,
  primary key (business_id, environment, asset),
  foreign key (business_id, environment) references books_checks,
  check ((slot_min is null) = (payments = 0) and (slot_max is null) = (payments = 0) and slot_min <= slot_max)
);

-- What the last comparison found: differences, and gifts.
create table books_findings (
  business_id text collate "C" not null,
  environment environment not null,
  asset text collate "C" not null,
  -- The payment's address; empty for the sums of a token.
  payment text collate "C" not null,
  kind text collate "C" not null
    check (kind in ('vault_short', 'record_differs', 'record_missing', 'sums_differ', 'gift')),
  amount numeric not null check (amount >= 0),
  -- The fields that differ.
  detail text,
  slot bigint,
  found_at timestamptz not null,
  primary key (business_id, environment, asset, payment, kind),
  foreign key (business_id, environment) references books_checks,
  check ((payment = '') = (kind = 'sums_differ')),
  check ((slot is null) = (kind = 'sums_differ'))
);
create index books_findings_differences on books_findings (business_id, environment, found_at) where kind <> 'gift';

-- The order to which a payment that matches none belongs, in a member's words: for people, nothing in the service reads it.
create table unmatched_notes (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  address text collate "C" not null,
  note text not null check (length(note) between 1 and 500),
  noted_by text not null,
  noted_at timestamptz not null default now(),
  primary key (business_id, environment, address)
);

-- Values of payments in a business's reporting currency, on the day on which funds moved. Nothing that moves funds reads them.

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
