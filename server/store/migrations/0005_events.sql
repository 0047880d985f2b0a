-- Told more than an hour after they occurred: few. What occurred before a time was recorded by an hour after it, or is one
-- of these; so a list of it need not pass over all that is newer. Seldom written to.
create index events_told_late on events (business_id, environment, sequence) where recorded_at - occurred_at > interval '1 hour';
