-- What deliveries are listed by, and how each hour went. The values of the last attempt stand on the delivery, since a list
-- cannot look through the attempts of every delivery it passes over. Deliveries from before have none of these values.

create domain delivery_error_class as text check (
  value in ('redirect', 'client_error', 'server_error', 'timeout', 'dns', 'address', 'connection', 'tls', 'protocol', 'other'));

alter table webhook_queue
  add column intent_id text collate "C",
  add column status_code smallint,
  add column error_class delivery_error_class;
alter table webhook_deliveries
  add column intent_id text collate "C",
  add column status_code smallint,
  add column error_class delivery_error_class;

-- A new event touches the first of these alone, and the most frequent type not even that; the others hold what was tried.
create index webhook_queue_type on webhook_queue (business_id, endpoint_id, event_type, event_id)
  where resend = '' and event_type <> 'payment_intent.created';
create index webhook_queue_answer on webhook_queue (business_id, endpoint_id, status_code, event_id)
  where resend = '' and status_code is not null;
create index webhook_queue_error on webhook_queue (business_id, endpoint_id, error_class, event_id)
  where resend = '' and error_class is not null;

create index webhook_deliveries_type on webhook_deliveries (business_id, endpoint_id, event_type, event_id)
  where event_type <> 'payment_intent.created';
create index webhook_deliveries_answer on webhook_deliveries (business_id, endpoint_id, status_code, event_id);
create index webhook_deliveries_error on webhook_deliveries (business_id, endpoint_id, error_class, event_id)
  where error_class is not null;
create index webhook_deliveries_object on webhook_deliveries (business_id, intent_id, event_id) where intent_id is not null;

-- An endpoint's attempts by the hour of their recording, tests left out; written by the statement that records them.
create table webhook_hours (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  hour timestamptz not null,
  attempts integer not null check (attempts > 0),
  succeeded integer not null check (succeeded between 0 and attempts),
  -- From the beginning of each attempt to its end, in all, and the longest.
  took_ms bigint not null,
  took_ms_max integer not null,
  -- Of the first attempts: how many, and how long their events waited for them, in all.
  first_attempts integer not null check (first_attempts between 0 and attempts),
  waited_ms bigint not null,
  primary key (business_id, endpoint_id, hour)
) with (fillfactor = 50);
create index webhook_hours_hour on webhook_hours (hour);
