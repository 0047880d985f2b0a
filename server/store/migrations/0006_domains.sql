-- Rules about one value move from the tables that are written all the time into domains, where they have a name and
-- stand once. A table's checks are read from their text, planned and set up by every statement that writes to it, a
-- domain's once by every connection: a lone create spent a third of its time in PostgreSQL on that.

create domain environment as text check (value in ('test', 'live'));
create domain intent_status as text check (value in ('requires_payment', 'paid', 'expired', 'canceled'));
create domain protection_period as text
  check (value in ('oneHour', 'oneDay', 'threeDays', 'sevenDays', 'fourteenDays', 'thirtyDays'));
create domain token_amount as numeric(20, 0) check (value between 1 and 18446744073709551615);
create domain payment_id as bigint check (value > 0);
create domain generation as integer check (value > 0);
create domain mismatches as smallint check (value between 0 and 3);
create domain whole_second as timestamptz check (date_trunc('second', value, 'UTC') = value);
create domain idempotency_key as text collate "C" check (length(value) between 1 and 255);
create domain sha256 as bytea check (length(value) = 32);
create domain kept_status as smallint check (value between 200 and 499);
create domain lane as smallint check (value between 0 and 2);
create domain attempts_so_far as smallint check (value between 0 and 8);
create domain attempts_in_all as smallint check (value between 0 and 9);
create domain attempt_number as smallint check (value between 1 and 9);
create domain delivery_status as text check (value in ('succeeded', 'abandoned'));
create domain delivery_cap as smallint check (value between 1 and 64);
create domain success_run as smallint check (value >= 0);

-- That a business exists is said by its key, without which nobody creates anything; businesses are never deleted. Asking
-- again for each row locked the business's row, which writes to it, and took a tenth of a batch's time.
alter table intents
  drop constraint intents_business_id_fkey,
  drop constraint intents_environment_check, alter environment type environment,
  drop constraint intents_status_check, alter status type intent_status,
  drop constraint intents_amount_check, alter amount type token_amount,
  drop constraint intents_protection_period_check, alter protection_period type protection_period,
  drop constraint intents_payment_id_check, alter payment_id type payment_id,
  drop constraint intents_generation_check, alter generation type generation,
  drop constraint intents_mismatches_seen_check, alter mismatches_seen type mismatches,
  drop constraint intents_check3, alter expires_at type whole_second,
  add constraint intents_check3 check (expires_at > created_at);
alter table idempotency_keys
  drop constraint idempotency_keys_business_id_fkey,
  drop constraint idempotency_keys_environment_check, alter environment type environment,
  drop constraint idempotency_keys_key_check, alter key type idempotency_key,
  drop constraint idempotency_keys_fingerprint_check, alter fingerprint type sha256,
  drop constraint idempotency_keys_status_check, alter status type kept_status;
alter table event_counters
  drop constraint event_counters_environment_check, alter environment type environment;
alter table webhook_queue
  drop constraint webhook_queue_lane_check, alter lane type lane,
  drop constraint webhook_queue_attempts_check, alter attempts type attempts_so_far;
alter table webhook_flows
  drop constraint webhook_flows_cap_check, alter cap type delivery_cap,
  drop constraint webhook_flows_run_check, alter run type success_run;
alter table webhook_deliveries
  drop constraint webhook_deliveries_status_check, alter status type delivery_status,
  drop constraint webhook_deliveries_attempts_check, alter attempts type attempts_in_all;
alter table webhook_attempts
  drop constraint webhook_attempts_number_check, alter number type attempt_number;
