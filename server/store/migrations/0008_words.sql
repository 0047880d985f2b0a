-- Columns get the words of the glossary in ARCHITECTURE.md. No row changes, only names. Processes of an older release
-- must be stopped before this runs: they do not know the new names.

alter table intents rename column open to holds_reference;
alter table intents rename column mismatches_seen to mismatch_count;
alter domain mismatches rename to mismatch_count;
alter domain kept_status rename to stored_status;

alter table payments rename column seen_slot to observed_slot;
alter table payments rename column settleable_told to settleable_event_sent;
alter table payments rename column missing_since to suspected_at;
alter table payments rename column missing_node to suspected_by_node;
alter index payments_untold rename to payments_settleable_unannounced;
alter table unmatched_payments rename column seen_slot to observed_slot;

alter index events_told_late rename to events_recorded_late;

alter table chain_inbox rename column read to processed;
alter index chain_inbox_unread rename to chain_inbox_unprocessed;
-- Written by nobody, and read by nobody.
alter table chain_inbox drop column missing_since, drop column seen_at;

alter table webhook_queue rename column lane to priority;
alter domain lane rename to delivery_priority;
-- How many deliveries to an endpoint each worker may have under way, and until when.
alter table webhook_flows rename to webhook_permits;
alter table webhook_permits rename column places to permits;
alter table webhook_permits rename column ends to expire_at;
alter table webhook_permits rename column cap to concurrency_limit;
alter table webhook_permits rename column run to success_streak;
alter domain delivery_cap rename to concurrency_limit;
alter domain success_run rename to success_streak;
