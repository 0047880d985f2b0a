-- Few late payments, and few duplicates, may be in one status.
create index payments_late_of_status on payments (business_id, environment, status, recorded_sequence) where late_reason is not null;
create index payments_duplicate_of_status on payments (business_id, environment, status, recorded_sequence) where role = 'duplicate';
-- Events that were recorded more than a minute after they occurred, or before: few. All others of a period are found by the time
-- at which they were recorded, without a look at those of other days.
create index events_late on events (business_id, environment, sequence, occurred_at) where recorded_at - occurred_at > interval '1 minute';
create index events_early on events (business_id, environment, sequence, occurred_at) where occurred_at - recorded_at > interval '1 minute';
