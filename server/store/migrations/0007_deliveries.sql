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
  -- `standard` secrets sign the headers of Standard Webhooks too (§6.8).
  secret_form text not null default 'opaque' check (secret_form in ('opaque', 'standard')),
  -- When the endpoint was last enabled: what was held until then is sent in the order of its events.
  enabled_at timestamptz,
  -- Each attempt since then has failed, and the words of the newest failure; both null once one succeeds. The statement that
  -- records the attempts writes them, and only when they change.
  failing_since timestamptz,
  last_error text,
  primary key (business_id, id),
  check ((status = 'enabled') = (disabled_at is null)),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check (status <> 'failing' or times_failing > 0),
  constraint webhook_endpoints_failing check ((failing_since is null) = (last_error is null))
);
create unique index webhook_endpoints_slot on webhook_endpoints (business_id, environment, slot);

-- One worker at a time delivers to an endpoint: the one that leases it. So the limit of parallel deliveries is its own number.

-- The workers that deliver. A row that is not renewed until `alive_until` is deleted, and its endpoints are free.
create table webhook_workers (
  id uuid primary key,
  alive_since timestamptz not null default now(),
  alive_until timestamptz not null,
  -- It takes no further endpoints and gives up its own.
  stopping boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

create table webhook_leases (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  -- Null: any worker may take the endpoint.
  leased_by uuid references webhook_workers (id) on delete set null,
  concurrency_limit concurrency_limit not null default 4,
  primary key (business_id, endpoint_id)
) with (fillfactor = 70);
create index webhook_leases_leased_by on webhook_leases (leased_by);

-- Attempts that are still to be made. `scheduled`: the delivery's own row, with all attempts of the schedule; its `resend` is
-- empty. The others are rows beside it, for one attempt each, under the id of what asked for them.
create table webhook_queue (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  resend text collate "C" not null default '',
  event_type text not null,
  -- Null for webhook.test, which is not recorded and carries its body itself.
  event_recorded_at timestamptz,
  body text,
  priority delivery_priority not null,
  due_at timestamptz,
  attempts attempts_so_far not null default 0,
  -- Of several events resent in order: the one that becomes due when this attempt has ended.
  next_event_id text collate "C",
  lease_token uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  intent_id text collate "C",
  -- The values of the last attempt stand on the delivery, since a list cannot read the attempts of every delivery it passes.
  status_code smallint,
  error_class delivery_error_class,
  kind delivery_kind not null default 'scheduled',
  -- Of several events resent in order: the attempt before has not ended, so this one has no due time.
  waits_for_turn boolean not null default false,
  check ((lease_token is null) = (leased_until is null)),
  constraint webhook_queue_kind check ((kind = 'scheduled') = (resend = '')),
  constraint webhook_queue_test check ((kind = 'test') = (event_recorded_at is null) and (kind = 'test') = (body is not null)),
  constraint webhook_queue_turn check (waits_for_turn = (due_at is null) and (kind = 'resend' or not waits_for_turn))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
create index webhook_queue_due on webhook_queue (business_id, endpoint_id, priority, due_at) with (fillfactor = 70);
-- After the other, since of two indexes that seem as good the planner takes the younger: a look-up by key, planned while
-- the queue was all but empty, would go through all of an endpoint's rows later.
alter table webhook_queue add primary key (business_id, endpoint_id, event_id, resend);
-- A new event touches the first of these alone, and the most frequent type not even that; the others hold what was tried.
create index webhook_queue_type on webhook_queue (business_id, endpoint_id, event_type, event_id)
  where kind = 'scheduled' and event_type <> 'payment_intent.created';
create index webhook_queue_answer on webhook_queue (business_id, endpoint_id, status_code, event_id)
  where kind = 'scheduled' and status_code is not null;
create index webhook_queue_error on webhook_queue (business_id, endpoint_id, error_class, event_id)
  where kind = 'scheduled' and error_class is not null;
create index webhook_queue_failed_answer on webhook_queue (business_id, endpoint_id, status_code, event_id)
  where kind = 'scheduled' and error_class is not null;
create index webhook_queue_answer_type on webhook_queue (business_id, endpoint_id, status_code, event_type, event_id)
  where kind = 'scheduled' and error_class is not null;
create index webhook_queue_error_type on webhook_queue (business_id, endpoint_id, error_class, event_type, event_id)
  where kind = 'scheduled' and error_class is not null;

-- Partitions of the history are days of real recording, made ahead; the defaults catch what is not foreseen.
create table webhook_deliveries (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  event_recorded_at timestamptz not null,
  status delivery_status not null,
  attempts attempts_in_all not null,
  created_at timestamptz not null,
  finished_at timestamptz not null,
  intent_id text collate "C",
  status_code smallint,
  error_class delivery_error_class,
  primary key (business_id, endpoint_id, event_id, finished_at)
) partition by range (finished_at);
create table webhook_deliveries_default partition of webhook_deliveries default;
create index webhook_deliveries_abandoned on webhook_deliveries (business_id, endpoint_id, event_id) where status = 'abandoned';
create index webhook_deliveries_type on webhook_deliveries (business_id, endpoint_id, event_type, event_id)
  where event_type <> 'payment_intent.created';
create index webhook_deliveries_answer on webhook_deliveries (business_id, endpoint_id, status_code, event_id);
-- Deliveries whose last attempt failed, by error and by type. A delivery that succeeds touches none of these.
create index webhook_deliveries_error on webhook_deliveries (business_id, endpoint_id, error_class, event_id)
  where error_class is not null;
create index webhook_deliveries_object on webhook_deliveries (business_id, intent_id, event_id) where intent_id is not null;
create index webhook_deliveries_failed_answer on webhook_deliveries (business_id, endpoint_id, status_code, event_id)
  where error_class is not null;
create index webhook_deliveries_answer_type on webhook_deliveries (business_id, endpoint_id, status_code, event_type, event_id)
  where error_class is not null;
create index webhook_deliveries_error_type on webhook_deliveries (business_id, endpoint_id, error_class, event_type, event_id)
  where error_class is not null;

-- Every delivery, pending or finished, and beside them the other rows of the queue, by their kind. The two parts have the same
-- types and no conditions of their own, so that a list walks the indexes of each in its order.
create view webhook_all_deliveries as
  select business_id, endpoint_id, event_id, kind::text as kind, event_type, intent_id, 'pending'::text as status, attempts::smallint as attempts,
    due_at, created_at, null::timestamptz as finished_at, status_code, error_class,
    -- Bounds of time select partitions by it.
    'infinity'::timestamptz as open_until
  from webhook_queue
  union all
  select business_id, endpoint_id, event_id, 'scheduled'::text, event_type, intent_id, status::text, attempts::smallint,
    null::timestamptz, created_at, finished_at, status_code, error_class,
    finished_at
  from webhook_deliveries;

create table webhook_attempts (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  resend text collate "C" not null,
  -- 1 to 9 within the schedule; null for a resend or test.
  number attempt_number,
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

-- An endpoint's attempts by the hour of their recording, tests left out; written by the statement that records them. The hours
-- of the next day are made together, for each endpoint one behind the other, so that a chart reads a few pages and not one for
-- each hour. Until an attempt is counted such an hour is empty.
create table webhook_hours (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  hour timestamptz not null,
  attempts integer not null check (attempts >= 0),
  succeeded integer not null check (succeeded between 0 and attempts),
  -- From the beginning of each attempt to its end, in all, and the longest.
  took_ms bigint not null,
  took_ms_max integer not null,
  -- First attempts: their number, and how long their events waited for them, in all.
  first_attempts integer not null check (first_attempts between 0 and attempts),
  waited_ms bigint not null,
  primary key (business_id, endpoint_id, hour)
) with (fillfactor = 50);
create index webhook_hours_hour on webhook_hours (hour);

-- Resends of many deliveries and replays, each under an id that its caller chose. A part and how far it came commit
-- together, so a part that is asked for again, by a second click or after a lost answer, is never sent twice.
create table webhook_resends (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^res_[0-9a-f]{32}$'),
  -- The request as text: the same id with another request is refused.
  request text not null check (length(request) <= 4000),
  -- After this event, or sequence, the next part begins; null: at the beginning.
  position text collate "C",
  -- Of a replay: the newest event when it began.
  up_to_sequence bigint,
  resent integer not null default 0 check (resent >= 0),
  made integer not null default 0 check (made >= 0),
  begun_at timestamptz not null,
  ended_at timestamptz,
  -- It ended at the most that one may be.
  limited boolean not null default false check (not limited or ended_at is not null),
  primary key (business_id, endpoint_id, id)
);
create index webhook_resends_begun on webhook_resends (begun_at);
