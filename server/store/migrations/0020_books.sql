-- The books of a business, and their comparison with the chain: the records and vaults of its open payments.

-- The comparisons of each tenant's books, the last and the next.
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
