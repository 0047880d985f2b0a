-- The hours of the next day are made together, for each endpoint one behind the other, so that a chart reads a few pages and
-- not one for each hour. Until an attempt is counted such an hour is empty.
alter table webhook_hours drop constraint webhook_hours_attempts_check;
alter table webhook_hours add constraint webhook_hours_attempts_check check (attempts >= 0);
