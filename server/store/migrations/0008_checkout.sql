-- What the hosted checkout knows of payments that are not on chain yet, the terms texts that buyers were shown, and what
-- sponsors paid for buyers.

-- A transaction that was built for an account, or one that was seen on its way by its signature. They never bind anything:
-- every open page shows them, and the relay sends again what it was given to send.
create table checkout_attempts (
  business_id text collate "C" not null references businesses (id),
  intent_id text collate "C" not null,
  kind text not null check (kind in ('built', 'sent')),
  -- The account a transaction was built for, or the signature of one that was sent.
  id text collate "C" not null,
  environment environment not null,
  -- Null: a page reported the signature alone.
  account text,
  created_at timestamptz not null,
  -- After it the transaction can no longer land. Time of the environment, as the columns before and after it.
  until timestamptz not null,
  ended_at timestamptz,
  -- Why it ended without a payment.
  failure text check (failure in ('failed', 'expired')),
  -- What the relay sends again, in base64; null: the wallet sends it itself.
  transaction text check (length(transaction) <= 5464),
  -- When the relay checks it next, in real time. A claim moves it on, so it is the lease too.
  due_at timestamptz,
  -- True if a node said of a sent attempt's transaction, when it was last asked, that it would land.
  can_land boolean not null default true,
  primary key (business_id, intent_id, kind, id),
  check (kind = 'sent' or (account = id and transaction is null and ended_at is null)),
  check ((kind = 'sent') = (due_at is not null)),
  check (failure is null or ended_at is not null)
) with (fillfactor = 70);
create index checkout_attempts_until on checkout_attempts (environment, until);
-- The relay claims what is due business by business, so that none waits for the flood of another.
create index checkout_attempts_due_by_business on checkout_attempts (environment, business_id, due_at)
  where kind = 'sent' and ended_at is null;

-- Each text under its SHA-256, as long as the payments that name it.
create table checkout_terms (
  business_id text collate "C" not null references businesses (id),
  intent_id text collate "C" not null,
  hash text collate "C" not null,
  body text not null,
  created_at timestamptz not null,
  primary key (business_id, intent_id, hash),
  check (hash = encode(sha256(convert_to(body, 'UTF8')), 'hex'))
);
-- A link to a text brings its hash alone.
create index checkout_terms_hash on checkout_terms (hash);

-- Uses of the checkout by one network in a minute, or until `ends_at` if they are limited by day (§13.21.3), in all processes
-- together. A crash loses them.
create unlogged table checkout_rates (
  name text collate "C" primary key,
  minute timestamptz not null,
  used integer not null,
  ends_at timestamptz
) with (fillfactor = 50);

-- What the deployment pays for buyers: fee and rents of payments that a sponsor's key signs. Each row is at most one
-- signature of that key, and is here before the signature leaves the service. All times are real time.
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
  -- The transaction that the server built, and the one that was signed, in base64.
  built text not null check (length(built) <= 1644),
  signed text check (length(signed) <= 5464),
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
  -- When it is checked next. A claim moves it on, so it is the lease too.
  due_at timestamptz,
  -- True if it is in the sums of its environment. An offer that the buyer signs first is there once they have.
  counted boolean not null default true,
  -- True if the sponsor signed first: only the chain shows that its buyer has signed, too.
  presigned boolean not null default false,
  -- A buyer's decision on a payment: the sponsor pays the network's fee of it, and nothing else.
  action text,
  primary key (business_id, intent_id, id),
  check (tombstone_lamports <= record_lamports),
  check ((signed is null) = (signature is null)),
  check ((status in ('signed', 'landed', 'failed', 'returned')) <= (signed is not null)),
  check ((status = 'returned') <= vault_returned),
  check ((status in ('failed', 'expired', 'returned')) = (ended_at is not null)),
  check ((ended_at is null) = (due_at is not null)),
  constraint sponsorships_counted check (counted or status = 'offered'),
  constraint sponsorships_action check (action in ('dispute', 'release')),
  constraint sponsorships_action_has_no_rents check (
    action is null or (record_lamports = 0 and vault_lamports = 0 and tombstone_lamports = 0))
) with (fillfactor = 80);
create index sponsorships_due on sponsorships (environment, due_at) where due_at is not null;
create index sponsorships_sender on sponsorships (environment, sender, created_at);
create index sponsorships_expired on sponsorships (environment, ended_at) where status = 'expired';
create index sponsorships_of_business on sponsorships (business_id, environment, created_at);
create index sponsorships_open_of_business on sponsorships (business_id, environment) where ended_at is null;
create index sponsorships_presigned on sponsorships (environment) where presigned and status = 'signed';

-- Sums over an environment's sponsorships. Every one that is made locks this row, so the limits are exact.
create table sponsor_budgets (
  environment environment primary key,
  -- The sum given out in the hour and in the day that began then, without what expired.
  hour timestamptz not null default 'epoch',
  hour_lamports lamports not null default 0,
  day timestamptz not null default 'epoch',
  day_lamports lamports not null default 0,
  -- The sum that is out and comes back, or may still be spent.
  bound_lamports lamports not null default 0,
  -- The sum that never comes back: fees, and the rents of tombstones.
  lost_lamports lamports not null default 0
);
insert into sponsor_budgets (environment) values ('test'), ('live');
