-- Webhook endpoints, the unfinished deliveries (small and hot), and the history of finished ones (daily partitions).

create table webhook_endpoints (
  business_id text collate "C" not null references businesses (id),
  id text collate "C" not null,
  environment text not null check (environment in ('test', 'live')),
  -- One of five; the unique index below is what makes "at most five" exact under races.
  slot smallint not null check (slot between 1 and 5),
  url text not null check (length(url) <= 2048),
  -- Null: all types, those added later too.
  event_types text[] check (cardinality(event_types) > 0),
  status text not null default 'enabled' check (status in ('enabled', 'disabled', 'failing')),
  abandoned_in_a_row smallint not null default 0 check (abandoned_in_a_row >= 0),
  -- Raised by every disabling for failures, so that each is an event of its own.
  times_failing integer not null default 0,
  api_version text not null,
  -- Sealed: v<version of the key-encryption key>.<nonce, tag, ciphertext>, bound to the endpoint's id.
  secret text not null check (secret like 'v%.%'),
  previous_secret text check (previous_secret like 'v%.%'),
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  disabled_at timestamptz,
  primary key (business_id, id),
  check ((status = 'enabled') = (disabled_at is null)),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check (status <> 'failing' or times_failing > 0)
);
create unique index webhook_endpoints_slot on webhook_endpoints (business_id, environment, slot);

-- Which worker may have how many deliveries to an endpoint under way, and until when; what was learned of how much it takes.
create table webhook_flows (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  workers uuid[] not null default '{}',
  places smallint[] not null default '{}',
  ends timestamptz[] not null default '{}',
  cap smallint not null default 4 check (cap between 1 and 64),
  -- Successes since the cap last changed.
  run smallint not null default 0 check (run >= 0),
  primary key (business_id, endpoint_id),
  check (cardinality(workers) = cardinality(places) and cardinality(workers) = cardinality(ends))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

-- Attempts that are still to be made. A delivery's own row has no `resend`; a resend or test is a row beside it, for one attempt.
create table webhook_queue (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  resend text collate "C" not null default '',
  event_type text not null,
  -- Null for webhook.test, which is not recorded and carries its body itself.
  event_recorded_at timestamptz,
  body text,
  -- 0: asked for by a person. 1: never tried. 2: to be tried again, or replayed.
  lane smallint not null check (lane between 0 and 2),
  due_at timestamptz not null,
  attempts smallint not null default 0 check (attempts between 0 and 8),
  -- Of several events resent in order: the one that becomes due when this attempt has ended.
  next_event_id text collate "C",
  lease_token uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  check ((lease_token is null) = (leased_until is null)),
  check ((event_recorded_at is null) = (body is not null)),
  check (resend <> '' or body is null)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
create index webhook_queue_due on webhook_queue (business_id, endpoint_id, lane, due_at) with (fillfactor = 70);
-- After the other, since of two indexes that seem as good the planner takes the younger: a look-up by key, planned while
-- the queue was all but empty, would go through all of an endpoint's rows later.
alter table webhook_queue add primary key (business_id, endpoint_id, event_id, resend);

-- Partitions of the history are days of real recording, made ahead; the defaults catch what is not foreseen.
create table webhook_deliveries (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  event_recorded_at timestamptz not null,
  status text not null check (status in ('succeeded', 'abandoned')),
  attempts smallint not null check (attempts between 0 and 9),
  created_at timestamptz not null,
  finished_at timestamptz not null,
  primary key (business_id, endpoint_id, event_id, finished_at)
) partition by range (finished_at);
create table webhook_deliveries_default partition of webhook_deliveries default;

create table webhook_attempts (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  resend text collate "C" not null,
  -- 1 to 9 within the schedule; null for a resend or test.
  number smallint check (number between 1 and 9),
  started_at timestamptz not null,
  ended_at timestamptz not null,
  succeeded boolean not null,
  status_code smallint,
  error text,
  recorded_at timestamptz not null,
  primary key (business_id, endpoint_id, event_id, resend, recorded_at),
  check ((resend = '') = (number is not null)),
  check (succeeded = (error is null))
) partition by range (recorded_at);
create table webhook_attempts_default partition of webhook_attempts default;

-- For resending all of one object in order.
create index events_of_intent on events (business_id, intent_id, sequence);
create index events_of_payment on events (business_id, payment_address, sequence);
