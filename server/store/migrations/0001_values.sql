-- Rules about one value. They stand once, in domains: a table's checks are read from their text, planned and set up by every
-- statement that writes to it, a domain's once by every connection. A lone create spent a third of its time in PostgreSQL on
-- that.

create domain environment as text check (value in ('test', 'live'));

-- Intents and payments.
create domain intent_status as text check (value in ('requires_payment', 'paid', 'expired', 'canceled'));
create domain protection_period as text
  check (value in ('oneHour', 'oneDay', 'threeDays', 'sevenDays', 'fourteenDays', 'thirtyDays'));
create domain token_amount as numeric(20, 0) check (value between 1 and 18446744073709551615);
create domain part_amount as numeric(20, 0) check (value between 0 and 18446744073709551615);
create domain payment_id as bigint check (value > 0);
create domain generation as integer check (value > 0);
create domain mismatch_count as smallint check (value between 0 and 3);
create domain whole_second as timestamptz check (date_trunc('second', value, 'UTC') = value);
create domain payment_outcome as text
  check (value in ('released_by_sender', 'settled', 'resolved', 'refunded_by_recipient', 'refunded_unresolved'));
create domain keeper_tries as smallint check (value between 0 and 30);
create domain keeper_refusal as text check (length(value) between 1 and 300);
create domain intent_description as text check (length(value) between 1 and 500);
create domain intent_return_url as text collate "C" check (length(value) between 1 and 2048 and value ~ '^https?://');
-- The key in the address of a payment's receipt: 128 random bits in base64url.
create domain receipt_key as text check (value ~ '^[A-Za-z0-9_-]{22}$');

-- Requests and events.
create domain idempotency_key as text collate "C" check (length(value) between 1 and 255);
create domain sha256 as bytea check (length(value) = 32);
create domain stored_status as smallint check (value between 200 and 499);
create domain event_key as bytea check (length(value) = 18);

-- Deliveries.
create domain delivery_kind as text check (value in ('scheduled', 'resend', 'replay', 'test'));
-- `asked`: asked for by a person. `new`: never tried. `later`: to be tried again, or replayed.
create domain delivery_priority as text collate "C" check (value in ('asked', 'new', 'later'));
create domain attempts_so_far as smallint check (value between 0 and 8);
create domain attempts_in_all as smallint check (value between 0 and 9);
create domain attempt_number as smallint check (value between 1 and 9);
create domain delivery_status as text check (value in ('succeeded', 'abandoned'));
create domain delivery_error_class as text check (
  value in ('redirect', 'client_error', 'server_error', 'timeout', 'dns', 'address', 'connection', 'tls', 'protocol', 'other'));
create domain concurrency_limit as smallint check (value between 1 and 64);

-- Sponsors.
create domain lamports as bigint check (value >= 0);
create domain sponsorship_status as text check (value in ('offered', 'signed', 'landed', 'failed', 'expired', 'returned'));
