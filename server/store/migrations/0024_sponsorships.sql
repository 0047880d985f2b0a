-- What the deployment pays for buyers: fee and rents of payments that a sponsor's key signs. Each row is at most one
-- signature of that key, and is here before the signature leaves the service. All times are real time.

create domain lamports as bigint check (value >= 0);
create domain sponsorship_status as text check (value in ('offered', 'signed', 'landed', 'failed', 'expired', 'returned'));

create table sponsorships (
  business_id text collate "C" not null references businesses (id),
  intent_id text collate "C" not null,
  id text collate "C" not null,
  environment environment not null,
  -- offered: built, and nobody's signature yet; signed: may land; landed: the rents are bound; failed: the fee is lost;
  -- expired: it cannot land any more; returned: the rents came back, all but the tombstone's.
  status sponsorship_status not null,
  sponsor text not null,
  sender text not null,
  -- The address of the payment that it makes.
  payment text not null,
  -- What the server built, and what was signed of it, in base64.
  built text not null check (length(built) <= 1644),
  signed text check (length(signed) <= 1644),
  signature text,
  fee_lamports lamports not null,
  record_lamports lamports not null,
  vault_lamports lamports not null,
  tombstone_lamports lamports not null,
  created_at timestamptz not null,
  -- Until then an offer may be signed, and what was signed land.
  until timestamptz not null,
  vault_returned boolean not null default false,
  ended_at timestamptz,
  -- When it is looked at next. A claim moves it on, so it is the lease too.
  due_at timestamptz,
  primary key (business_id, intent_id, id),
  check (tombstone_lamports <= record_lamports),
  check ((signed is null) = (signature is null)),
  check ((status in ('signed', 'landed', 'failed', 'returned')) <= (signed is not null)),
  check ((status = 'returned') <= vault_returned),
  check ((status in ('failed', 'expired', 'returned')) = (ended_at is not null)),
  check ((ended_at is null) = (due_at is not null))
) with (fillfactor = 80);
create index sponsorships_due on sponsorships (environment, due_at) where due_at is not null;
create index sponsorships_sender on sponsorships (environment, sender, created_at);
create index sponsorships_expired on sponsorships (environment, ended_at) where status = 'expired';

-- Sums over an environment's sponsorships. Every one that is made locks this row, so the limits are exact.
create table sponsor_budgets (
  environment environment primary key,
  -- What was given out in the hour and in the day that began then, without what expired.
  hour timestamptz not null default 'epoch',
  hour_lamports lamports not null default 0,
  day timestamptz not null default 'epoch',
  day_lamports lamports not null default 0,
  -- What is out and comes back, or may still be spent.
  bound_lamports lamports not null default 0,
  -- What never comes back: fees, and the rents of tombstones.
  lost_lamports lamports not null default 0
);
insert into sponsor_budgets (environment) values ('test'), ('live');
