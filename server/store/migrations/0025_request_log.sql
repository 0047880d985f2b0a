-- Requests of the merchant API, for the seven days in which somebody may ask about one. Partitions are days of arrival,
-- which a request's id says. Of the indexes a request that succeeds touches three.
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
  primary key (business_id, environment, id, arrived_at)
) partition by range (arrived_at);
create table request_log_default partition of request_log default;
create index request_log_key on request_log (business_id, environment, key_id, id);
create index request_log_object on request_log (business_id, environment, object_id, id) where object_id is not null;
create index request_log_error on request_log (business_id, environment, error_code, id) where error_code is not null;
create index request_log_failed on request_log (business_id, environment, id) where error_code is not null;
