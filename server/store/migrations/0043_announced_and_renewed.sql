-- The fields that the last event of a payment or an intent showed otherwise than its row is shown: they moved without an
-- event, and the next one is compared with them. Null for nearly every row.
alter table payments add column announced text;
alter table intents add column announced text;
update payments set announced = '{"settleable":true}'
  where settleable_event_sent and status = 'protected' and outcome is null;

-- When the keeper's wait of a payment may be ended early again: each time a part is seen to have left moves it on, from now
-- at the least, and it is never more than a day ahead. Null: it never was.
alter table payments add column keeper_renewed_to timestamptz;
