-- Since when each attempt to an endpoint has failed, and the words of the newest failure; both null once one succeeds. They are
-- written by the statement that records the attempts, and only when they change.
alter table webhook_endpoints
  add column failing_since timestamptz,
  add column last_error text,
  add constraint webhook_endpoints_failing check ((failing_since is null) = (last_error is null));
