-- Requests of the merchant API: the answers that are repeated, and the log.

-- The first answer to each Idempotency-Key, kept for a day of real time and committed with its effect.
create table idempotency_keys (
  business_id text collate "C" not null,
  environment environment not null,
  key idempotency_key not null,
  fingerprint sha256 not null,
  status stored_status not null,
  body text not null,
  created_at timestamptz not null,
  primary key (business_id, environment, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- The log of seven days. Partitions are days of arrival, which a request's id says. A request that succeeds touches three of
-- the indexes.
create table request_log (
  business_id text collate "C" not null,
  environment environment not null,
  id text collate "C" not null,
  key_id text collate "C" not null,
  method text not null,
  path text not null check (length(path) <= 500),
  status smallint not null,
  error_code text collate "C",
  duration_ms real not null,
  object_id text collate "C",
  body text check (length(body) <= 2000),
  arrived_at timestamptz not null,
  -- The error as it was answered.
  answer text check (length(answer) <= 1000),
  primary key (business_id, environment, id, arrived_at)
) partition by range (arrived_at);
create table request_log_default partition of request_log default;
create index request_log_key on request_log (business_id, environment, key_id, id);
create index request_log_object on request_log (business_id, environment, object_id, id) where object_id is not null;
create index request_log_error on request_log (business_id, environment, error_code, id) where error_code is not null;
create index request_log_failed on request_log (business_id, environment, id) where error_code is not null;
create index request_log_key_failed on request_log (business_id, environment, key_id, id) where error_code is not null;
create index request_log_key_error on request_log (business_id, environment, key_id, error_code, id)
  where error_code is not null;
create index request_log_object_failed on request_log (business_id, environment, object_id, id)
  where object_id is not null and error_code is not null;
