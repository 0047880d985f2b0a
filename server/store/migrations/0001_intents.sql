-- Businesses, keys, intents, payments, events, and what the sweep remembers of a chain.
-- Shape kept for sharding by business: business_id leads every key of a business's table; look-ups that come
-- without a business go through small tables of their own (api_key_hashes, payment_ids, payment_addresses).

create table businesses (
  id text collate "C" primary key,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null
);

-- How far an environment's clock runs ahead of real time. Only a local chain under `test` ever moves it.
create table clocks (
  environment text primary key check (environment in ('test', 'live')),
  ahead interval not null default '0' check (ahead >= '0' and (environment = 'test' or ahead = '0'))
);
insert into clocks (environment) values ('test'), ('live');

create table api_keys (
  business_id text collate "C" not null references businesses (id),
  id text collate "C" not null,
  environment text not null check (environment in ('test', 'live')),
  hash bytea not null check (length(hash) = 32),
  last4 text not null check (length(last4) = 4),
  rate_per_minute integer not null default 120 check (rate_per_minute > 0),
  -- One of five while the key is active; the unique index below is what makes "at most five" exact under races.
  slot smallint check (slot between 1 and 5),
  successor_id text collate "C",
  created_at timestamptz not null,
  rolled_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (business_id, id),
  check ((slot is null) = (revoked_at is not null or rolled_at is not null)),
  check ((rolled_at is null) = (successor_id is null)),
  check ((rolled_at is null) = (expires_at is null))
);
create unique index api_keys_slot on api_keys (business_id, environment, slot) where slot is not null;
create table api_key_hashes (
  hash bytea primary key,
  business_id text collate "C" not null,
  key_id text collate "C" not null
);
-- One row per key, lost in a crash: a minute's count is all it holds.
create unlogged table key_rates (
  business_id text collate "C" not null,
  key_id text collate "C" not null,
  minute timestamptz not null,
  used integer not null,
  primary key (business_id, key_id)
) with (fillfactor = 50);

create table intents (
  business_id text collate "C" not null references businesses (id),
  id text collate "C" not null,
  environment text not null check (environment in ('test', 'live')),
  status text not null check (status in ('requires_payment', 'paid', 'expired', 'canceled')),
  -- Whether it holds its merchantReference. now() cannot stand in an index, so a create closes an expired holder first.
  open boolean not null,
  recipient text not null,
  amount numeric(20, 0) not null check (amount between 1 and 18446744073709551615),
  asset text not null,
  protection_period text not null
    check (protection_period in ('oneHour', 'oneDay', 'threeDays', 'sevenDays', 'fourteenDays', 'thirtyDays')),
  merchant_reference text not null,
  metadata text not null,
  payment_id bigint not null check (payment_id > 0),
  payment_address text,
  -- Raised by every reverted binding, so that the next `paid` is a new event.
  generation integer not null default 1 check (generation > 0),
  mismatches_seen smallint not null default 0 check (mismatches_seen between 0 and 3),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  canceled_at timestamptz,
  -- occurredAt of the newest event of this intent and its payments: the next one is later.
  last_occurred_at timestamptz not null,
  primary key (business_id, id),
  check ((status = 'paid') = (payment_address is not null)),
  check (not open or status = 'requires_payment'),
  check (status <> 'canceled' or canceled_at is not null),
  check (expires_at > created_at and date_trunc('second', expires_at, 'UTC') = expires_at)
);
create unique index intents_open_reference on intents (business_id, environment, merchant_reference) where open;
create index intents_reference on intents (business_id, environment, merchant_reference, id);
create index intents_unpaid on intents (environment, expires_at) where status = 'requires_payment';
-- Whose intent a payment on chain, or a checkout link, is about.
create table payment_ids (
  payment_id bigint primary key,
  business_id text collate "C" not null,
  environment text not null,
  intent_id text collate "C" not null
);
create index payment_ids_intent on payment_ids (intent_id);

create table payments (
  business_id text collate "C" not null references businesses (id),
  address text collate "C" not null,
  environment text not null check (environment in ('test', 'live')),
  intent_id text collate "C" not null,
  generation integer not null check (generation > 0),
  -- Sequence of its payment.protected event: the order of recording, so that lists never grow behind a reader.
  recorded_sequence bigint not null,
  role text not null check (role in ('primary', 'duplicate')),
  status text not null check (status in ('protected', 'disputed', 'released', 'refunded')),
  sender text not null,
  recipient text not null,
  amount numeric(20, 0) not null check (amount between 1 and 18446744073709551615),
  asset text not null,
  protection_period text not null
    check (protection_period in ('oneHour', 'oneDay', 'threeDays', 'sevenDays', 'fourteenDays', 'thirtyDays')),
  merchant_reference text not null,
  late_reason text check (late_reason in ('paid_after_expiry', 'found_after_expiry', 'paid_after_cancel', 'found_after_cancel')),
  signature text,
  created_at timestamptz not null,
  protection_deadline timestamptz not null,
  disputed_at timestamptz,
  settled_at timestamptz,
  refunded_at timestamptz,
  checked_at timestamptz not null,
  settleable_told boolean not null default false,
  -- The slot the payment was created in, where known, and the newest slot its account was read at.
  created_slot bigint,
  seen_slot bigint not null,
  -- Binding starts at `confirmed`; true once its account was seen at `finalized`.
  finalized boolean not null default false,
  -- First finalized read that missed account and signature both: when, and on which node.
  missing_since timestamptz,
  missing_node integer,
  primary key (business_id, address),
  check ((status = 'released') = (settled_at is not null)),
  check ((status = 'refunded') = (refunded_at is not null)),
  check (status <> 'disputed' or disputed_at is not null),
  check (status <> 'protected' or disputed_at is null),
  check (missing_since is null or not finalized)
);
create unique index payments_primary on payments (business_id, intent_id) where role = 'primary';
create unique index payments_recorded on payments (business_id, environment, recorded_sequence);
create index payments_of_intent on payments (business_id, intent_id, recorded_sequence);
create index payments_unfinished on payments (environment, checked_at)
  where status in ('protected', 'disputed') or not finalized;
create index payments_due on payments (environment, protection_deadline) where status = 'protected';
create table payment_addresses (
  address text collate "C" primary key,
  business_id text collate "C" not null,
  environment text not null,
  intent_id text collate "C" not null
);

-- Bindings whose transaction never finalized, kept apart so that a returning payment is a new generation.
create table reverted_payments (
  business_id text collate "C" not null references businesses (id),
  address text collate "C" not null,
  generation integer not null,
  intent_id text collate "C" not null,
  reverted_at timestamptz not null,
  snapshot text not null,
  primary key (business_id, address, generation)
);

-- Payments under our operator that are bound to no intent. The buyer's money is in the escrow either way,
-- so they are re-checked and settled like any other.
create table unmatched_payments (
  environment text not null check (environment in ('test', 'live')),
  address text collate "C" not null,
  reason text not null check (reason in ('unknown_payment_id', 'terms_differ')),
  payment_id numeric(20, 0) not null,
  status text not null check (status in ('protected', 'disputed', 'released', 'refunded')),
  sender text not null,
  recipient text not null,
  amount numeric(20, 0) not null,
  asset text not null,
  protection_period text not null,
  signature text,
  created_at timestamptz not null,
  protection_deadline timestamptz not null,
  disputed_at timestamptz,
  settled_at timestamptz,
  refunded_at timestamptz,
  checked_at timestamptz not null,
  seen_slot bigint not null,
  primary key (environment, address)
);
create index unmatched_payments_unfinished on unmatched_payments (environment, checked_at) where status in ('protected', 'disputed');
create index unmatched_payments_due on unmatched_payments (environment, protection_deadline) where status = 'protected';

create table event_counters (
  business_id text collate "C" not null references businesses (id),
  environment text not null check (environment in ('test', 'live')),
  last_sequence bigint not null default 0,
  primary key (business_id, environment)
) with (fillfactor = 50);
-- One event per object, generation and transition; unpartitioned, since a partitioned table cannot promise it.
create table event_keys (
  business_id text collate "C" not null,
  object_id text collate "C" not null,
  generation integer not null,
  transition text not null,
  primary key (business_id, object_id, generation, transition)
);
create table events (
  business_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  sequence bigint not null,
  type text not null,
  intent_id text collate "C",
  payment_address text collate "C",
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  -- Real time, never an environment's clock: partitions are days of recording.
  recorded_at timestamptz not null,
  body text not null,
  primary key (business_id, id, recorded_at),
  unique (business_id, environment, sequence, recorded_at)
) partition by range (recorded_at);
create table events_default partition of events default;

-- What the sweep knows of a chain. The cursor is a finalized transaction; watermark is the block time up to which
-- everything is processed at `finalized`.
create table chains (
  environment text primary key check (environment in ('test', 'live')),
  genesis_hash text not null,
  program_id text not null,
  operator text not null,
  cursor_slot bigint not null default 0,
  cursor_signature text,
  -- While a long history is paged in: the oldest signature read so far, and where the cursor goes once it is in.
  page_before text,
  page_cursor_slot bigint,
  page_cursor_signature text,
  watermark timestamptz,
  sweep_paused boolean not null default false,
  reconciled_at timestamptz
);
create table chain_inbox (
  environment text not null,
  signature text not null,
  slot bigint not null,
  failed boolean not null,
  read boolean not null,
  attempts integer not null default 0,
  missing_since timestamptz,
  seen_at timestamptz not null,
  primary key (environment, signature)
);
create index chain_inbox_unread on chain_inbox (environment, slot) where not read;
create index chain_inbox_slot on chain_inbox (environment, slot);
-- Mints and recipients the chain told us about, so that create rarely reads the chain.
create table known_assets (
  environment text not null,
  address text not null,
  is_mint boolean not null,
  decimals smallint,
  token_program text,
  risky_extensions text[] not null default '{}',
  read_at timestamptz not null,
  primary key (environment, address)
);
create table known_recipients (
  environment text not null,
  address text not null,
  kind text not null,
  read_at timestamptz not null,
  primary key (environment, address)
);
