-- Events. Their partitions are weeks of recording, made ahead; the default catches what is not foreseen.

create table event_counters (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  last_sequence bigint not null default 0,
  -- When the database was last restored from a copy, by this environment's clock; null: never.
  restored_at timestamptz,
  primary key (business_id, environment)
) with (fillfactor = 50);

-- One event for each object, generation and transition; unpartitioned, since a partitioned table cannot promise it. The key is
-- a hash of the three, since only its existence is ever asked for. An intent's creation needs none: the statement that records
-- it inserts the intent.
create table event_keys (
  business_id text collate "C" not null,
  key event_key not null,
  primary key (business_id, key)
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
  -- Real time, never an environment's clock.
  recorded_at timestamptz not null,
  body text not null,
  primary key (business_id, id, recorded_at),
  unique (business_id, environment, sequence, recorded_at)
) partition by range (recorded_at);
create table events_default partition of events default;
-- For resending all of one object in order.
create index events_of_intent on events (business_id, intent_id, sequence);
-- Most events are of creations, and a list of those needs no index.
create index events_of_type on events (business_id, environment, type, sequence) where type <> 'payment_intent.created';
create index events_of_payment on events (business_id, payment_address, sequence) where payment_address is not null;
-- Events that were recorded more than a minute after they occurred, or before: few. All others of a period are found by the time
-- at which they were recorded, without a look at those of other days.
create index events_late on events (business_id, environment, sequence, occurred_at) where recorded_at - occurred_at > interval '1 minute';
create index events_early on events (business_id, environment, sequence, occurred_at) where occurred_at - recorded_at > interval '1 minute';
-- Payments that do not match an order, but pay its recipient: behind any number of those that strangers pay to themselves.
-- As json, not jsonb: metadata may hold a number that PostgreSQL has no type for.
create index events_own_mismatches on events (business_id, environment, sequence)
  where type = 'payment_intent.payment_mismatch' and (body::json -> 'data' ->> 'mismatch') not like '%"recipient"%';
