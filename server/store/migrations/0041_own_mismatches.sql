-- Payments that do not match an order, but pay its recipient: behind any number of those that strangers pay to themselves.
-- As json, not jsonb: metadata may hold a number that PostgreSQL has no type for.
create index events_own_mismatches on events (business_id, environment, sequence)
  where type = 'payment_intent.payment_mismatch' and (body::json -> 'data' ->> 'mismatch') not like '%"recipient"%';
-- Last: from here to the commit, events are not read either. events_late takes its place.
drop index events_recorded_late;
