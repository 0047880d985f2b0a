-- Intents, the payments that match them, and the payments that match none.
-- Indexes that are no rule hold a hash of what is long. The columns are compared as well, so two texts of one hash cost a row
-- read in vain, and nothing else. Texts that merchants choose are hashed apart from the tenant: no merchant can make up a
-- reference that stands among another's.

-- No foreign key: an API key says that the business exists, and businesses are never deleted. A check of each row locked the
-- business's row, which writes to it, and took a tenth of a batch's time.
create table intents (
  business_id text collate "C" not null,
  id text collate "C" not null,
  environment environment not null,
  status intent_status not null,
  -- True if it holds its merchantReference. now() cannot stand in an index, so a create closes an expired holder first.
  holds_reference boolean not null,
  recipient text not null,
  amount token_amount not null,
  asset text not null,
  protection_period protection_period not null,
  merchant_reference text not null,
  metadata text not null,
  payment_id payment_id not null,
  payment_address text,
  -- Raised by every reverted binding, so that the next `paid` is a new event.
  generation generation not null default 1,
  mismatch_count mismatch_count not null default 0,
  created_at timestamptz not null,
  expires_at whole_second not null,
  canceled_at timestamptz,
  -- occurredAt of the newest event of this intent and its payments: the next one is later.
  last_occurred_at timestamptz not null,
  -- The place in lists, in the order of the sequences of payment_intent.created, so that no intent appears behind a reader's
  -- cursor: the tenant's last sequence before the statement that made the intent, times 1,024, plus its ordinal in it.
  list_position bigint not null,
  -- The fields that its last event showed otherwise than its row is shown: they moved without an event, and the next one is
  -- compared with them. Null for nearly every row.
  announced text,
  -- What the merchant says to the buyer, and where the buyer goes back to.
  description intent_description,
  return_url intent_return_url,
  primary key (business_id, id),
  check ((status = 'paid') = (payment_address is not null)),
  check (not holds_reference or status = 'requires_payment'),
  check (status <> 'canceled' or canceled_at is not null),
  check (expires_at > created_at)
);
create unique index intents_open_reference on intents (business_id, environment, merchant_reference) where holds_reference;
create index intents_unpaid on intents (environment, expires_at) where status = 'requires_payment';
create index intents_listed on intents (hashtextextended(business_id || environment, 0), list_position);
-- Unpaid intents are the newest of a business: a list of them is found by position.
create index intents_of_status on intents (hashtextextended(business_id || environment || status, 0), list_position)
  where status <> 'requires_payment';
create index intents_of_reference on intents
  (hashtextextended(business_id || environment, 0), hashtextextended(merchant_reference, 0), list_position);

-- The intent that a payment on chain, or a checkout link, is about.
create table payment_ids (
  payment_id bigint primary key,
  business_id text collate "C" not null,
  intent_id text collate "C" not null
);
create index payment_ids_of_intent on payment_ids (hashtextextended(intent_id, 0));

create table payments (
  business_id text collate "C" not null references businesses (id),
  address text collate "C" not null,
  environment text not null check (environment in ('test', 'live')),
  intent_id text collate "C" not null,
  generation integer not null check (generation > 0),
  -- Sequence of its payment.protected event: the order of recording, so that lists never grow behind a reader.
  recorded_sequence bigint not null,
  role text not null check (role in ('primary', 'duplicate')),
  status text not null check (status in ('protected', 'disputed', 'released', 'refunded')),
  sender text not null,
  recipient text not null,
  amount numeric(20, 0) not null check (amount between 1 and 18446744073709551615),
  asset text not null,
  protection_period text not null
    check (protection_period in ('oneHour', 'oneDay', 'threeDays', 'sevenDays', 'fourteenDays', 'thirtyDays')),
  merchant_reference text not null,
  late_reason text check (late_reason in ('paid_after_expiry', 'found_after_expiry', 'paid_after_cancel', 'found_after_cancel')),
  signature text,
  created_at timestamptz not null,
  protection_deadline timestamptz not null,
  disputed_at timestamptz,
  settled_at timestamptz,
  refunded_at timestamptz,
  checked_at timestamptz not null,
  settleable_event_sent boolean not null default false,
  -- The slot the payment was created in, where known, and the newest slot its account was read at.
  created_slot bigint,
  observed_slot bigint not null,
  -- Binding starts at `confirmed`; true once its account was seen at `finalized`.
  finalized boolean not null default false,
  -- First finalized read that missed account and signature both: when, and on which node.
  suspected_at timestamptz,
  suspected_by_node integer,
  -- The slot at which a step of it (dispute, release, refund) was first seen while it was not final: a fork may revert it.
  -- With it the payment counts as not final until its account says the same at `finalized`, from that slot on.
  changed_slot bigint,
  outcome payment_outcome,
  -- The sender's part in the end, as bound so far, and what has left to either side.
  refund_total part_amount not null,
  amount_refunded part_amount not null,
  amount_released part_amount not null,
  arbiter text not null,
  terms_hash text,
  -- True if the text that it names was kept here when the payment was recorded.
  terms_known boolean not null default false,
  -- The time of the last read at `finalized` that contradicted it, by real time: such payments are read apart from the others,
  -- in turn.
  contradicted_at timestamptz,
  -- The payer of account and vault, if that was not the sender.
  rent_payer text,
  -- How often the keeper set out for the payment: each time its wait grows.
  keeper_tries keeper_tries not null default 0,
  keeper_waits_until timestamptz,
  -- Why the last try sent nothing.
  keeper_refusal keeper_refusal,
  -- The record is closed, or its rent is nobody's of the deployment.
  keeper_done boolean not null default false,
  -- When the keeper has something to do for it: a part that is bound has been due since; a dispute lapses; the protection
  -- ends; the record may be closed. Null: nothing. Times of day in UTC, since an interval of days depends on the zone.
  keeper_at timestamptz generated always as (
    case
      when status in ('released', 'refunded') then
        case when rent_payer is not null and not keeper_done then
          greatest((greatest(settled_at, refunded_at) at time zone 'UTC' + interval '90 days') at time zone 'UTC', keeper_waits_until)
        end
      when outcome is not null or refund_total > amount_refunded then greatest(created_at, keeper_waits_until)
      when status = 'disputed' then
        greatest((disputed_at at time zone 'UTC' + interval '90 days') at time zone 'UTC', keeper_waits_until)
      when settleable_event_sent then greatest(protection_deadline, keeper_waits_until)
    end) stored,
  -- As `announced` of its intent.
  announced text,
  -- When its wait for the keeper may be ended early again: each part that is seen to have left moves it on, from now at the
  -- least, and it is never more than a day ahead. Null: it never was.
  keeper_renewed_to timestamptz,
  -- True once a tombstone stands at the address: the deposit of the record went back.
  record_closed boolean not null default false,
  -- The service drafts the key, since the payment's first event shows it.
  receipt_key receipt_key not null default
    translate(rtrim(encode(substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16), 'base64'), '='), '+/', '-_'),
  -- True if it was paid by a link whose places were all taken, decided once, when the payment is recorded.
  over_limit boolean not null default false,
  -- A step on chain brings only the address.
  primary key (address),
  constraint payments_disputed check (status <> 'disputed' or disputed_at is not null),
  constraint payments_protected check (status <> 'protected' or disputed_at is null),
  constraint payments_suspected check (suspected_at is null or not finalized),
  constraint payments_parts check (
    amount_refunded <= refund_total and refund_total <= amount and amount_released in (0, amount - refund_total)
    and (amount_refunded > 0) = (refunded_at is not null) and (amount_released > 0) = (settled_at is not null)
    and (amount_released = 0 or outcome is not null)),
  constraint payments_paid_out check (
    case status
      when 'released' then amount_released > 0 and amount_released + amount_refunded = amount
      when 'refunded' then amount_refunded = amount and outcome is not null
      else amount_released + amount_refunded < amount
    end),
  constraint payments_terms_known check (not terms_known or terms_hash is not null)
);
create unique index payments_primary on payments (business_id, intent_id) where role = 'primary';
create unique index payments_recorded on payments (business_id, environment, recorded_sequence);
create index payments_unfinished on payments (environment, checked_at)
  where status in ('protected', 'disputed') or not finalized;
create index payments_late on payments (business_id, environment, recorded_sequence) where late_reason is not null;
create index payments_duplicate on payments (business_id, environment, recorded_sequence) where role = 'duplicate';
create index payments_settleable on payments (business_id, environment, recorded_sequence)
  where status = 'protected' and settleable_event_sent;
-- Due payments without an event: few. The others stay due for as long as nobody settles them.
create index payments_settleable_unannounced on payments (environment, protection_deadline)
  where status = 'protected' and not settleable_event_sent;
create index payments_due on payments (environment, protection_deadline) where status = 'protected' and settleable_event_sent;
-- Bindings that are not final yet, oldest first: a few seconds' worth among all that are protected.
create index payments_unfinalized on payments (environment, greatest(coalesce(created_slot, observed_slot), changed_slot))
  where not finalized and contradicted_at is null;
create index payments_contradicted on payments (environment, contradicted_at)
  where not finalized and contradicted_at is not null;
create index payments_keeper on payments (business_id, environment, keeper_at) where keeper_at is not null;
-- It says at once if anything is due.
create index payments_keeper_due on payments (environment, keeper_at) where keeper_at is not null;
-- For the figure of payments that cannot be paid out now.
create index payments_refused on payments (environment) where keeper_refusal is not null and keeper_at is not null;
create index payments_of_intent on payments (hashtextextended(intent_id, 0), recorded_sequence);
create index payments_of_status on payments (hashtextextended(business_id || environment || status, 0), recorded_sequence);
-- Staff find a payment by the transaction that made it.
create index payments_signature on payments (hashtextextended(signature, 0));
-- A wallet's own payments, newest first. Only its own signature adds to them.
create index payments_of_sender on payments (hashtextextended(sender, 0), created_at);
-- Staff list payments by filter, newest first. A row of payments changes a few times in its life, so its indexes cost little;
-- creates write none of them.
-- The beginning of a reference finds payments. Bytes are compared, since only then are the texts with one beginning neighbours.
create index payments_of_reference on payments (business_id, environment, merchant_reference collate "C", recorded_sequence);
create index payments_of_tenant_sender on payments (hashtextextended(business_id || environment || sender, 0), recorded_sequence);
-- It also lists the tokens that a business was paid in.
create index payments_of_asset on payments (business_id, environment, asset, recorded_sequence);
create index payments_of_amount on payments (business_id, environment, amount, recorded_sequence);
create index payments_created on payments (business_id, environment, created_at, recorded_sequence);
create index payments_ever_disputed on payments (business_id, environment, recorded_sequence) where disputed_at is not null;
-- Payments that need a person, for the home page: few, however many have needed one before.
create index payments_open_disputes on payments (business_id, environment, disputed_at)
  where status = 'disputed' and outcome is null;
create index payments_open_duplicates on payments (business_id, environment, protection_deadline)
  where role = 'duplicate' and status = 'protected' and outcome is null;
create index payments_over_limit on payments (business_id, environment, recorded_sequence) where over_limit;
-- Few late payments, and few duplicates, may be in one status.
create index payments_late_of_status on payments (business_id, environment, status, recorded_sequence) where late_reason is not null;
create index payments_duplicate_of_status on payments (business_id, environment, status, recorded_sequence) where role = 'duplicate';

-- Bindings whose transaction never finalized, kept apart so that a returning payment is a new generation.
create table reverted_payments (
  business_id text collate "C" not null references businesses (id),
  address text collate "C" not null,
  generation integer not null,
  intent_id text collate "C" not null,
  reverted_at timestamptz not null,
  snapshot text not null,
  -- A payment that returns has the same key again.
  receipt_key receipt_key,
  primary key (business_id, address, generation)
);
-- A receipt of a payment that a fork removed brings the address alone.
create index reverted_payments_address on reverted_payments (address);

-- Payments under our operator that are bound to no intent. The buyer's money is in the escrow either way, so they are checked
-- again and settled like any other. One that was closed on chain before the service ever observed it left a tombstone, which
-- says how it ended, and not on which terms it was made.
create table unmatched_payments (
  environment text not null check (environment in ('test', 'live')),
  address text collate "C" not null,
  reason text not null check (reason in ('unknown_payment_id', 'terms_differ', 'closed')),
  payment_id numeric(20, 0) not null,
  status text not null check (status in ('protected', 'disputed', 'released', 'refunded')),
  sender text,
  recipient text,
  amount numeric(20, 0) not null,
  asset text,
  protection_period text,
  signature text,
  created_at timestamptz,
  protection_deadline timestamptz,
  disputed_at timestamptz,
  settled_at timestamptz,
  refunded_at timestamptz,
  checked_at timestamptz not null,
  observed_slot bigint not null,
  outcome payment_outcome,
  refund_total part_amount not null,
  amount_refunded part_amount not null,
  amount_released part_amount not null,
  -- The same as of payments.
  rent_payer text,
  keeper_tries keeper_tries not null default 0,
  keeper_waits_until timestamptz,
  keeper_refusal keeper_refusal,
  keeper_done boolean not null default false,
  -- The same without events. A stranger's refund of an undecided payment leaves with its settlement: else he could have a
  -- fee paid for every unit.
  keeper_at timestamptz generated always as (
    case
      when status in ('released', 'refunded') then
        case when rent_payer is not null and not keeper_done then
          greatest((greatest(settled_at, refunded_at) at time zone 'UTC' + interval '90 days') at time zone 'UTC', keeper_waits_until)
        end
      when outcome is not null then greatest(created_at, keeper_waits_until)
      when status = 'disputed' then
        greatest((disputed_at at time zone 'UTC' + interval '90 days') at time zone 'UTC', keeper_waits_until)
      else greatest(protection_deadline, keeper_waits_until)
    end) stored,
  -- As of payments; null of a payment that was closed before it was ever read.
  arbiter text,
  token_program text,
  decimals smallint,
  terms_hash text,
  record_closed boolean not null default false,
  primary key (environment, address),
  constraint unmatched_payments_terms check (
    case reason
      when 'closed' then status in ('released', 'refunded') and outcome is not null
      else num_nulls(sender, recipient, asset, protection_period, created_at, protection_deadline) = 0
    end)
);
create index unmatched_payments_unfinished on unmatched_payments (environment, checked_at) where status in ('protected', 'disputed');
create index unmatched_payments_due on unmatched_payments (environment, protection_deadline) where status = 'protected';
create index unmatched_payments_keeper on unmatched_payments (environment, keeper_at) where keeper_at is not null;
create index unmatched_payments_refused on unmatched_payments (environment) where keeper_refusal is not null and keeper_at is not null;
create index unmatched_payments_of_sender on unmatched_payments (hashtextextended(sender, 0), created_at) where sender is not null;
create index unmatched_payments_signature on unmatched_payments (hashtextextended(signature, 0)) where signature is not null;
-- Payments to a business's recipients that match no order.
create index unmatched_payments_recipient on unmatched_payments (environment, recipient, protection_deadline)
  where status in ('protected', 'disputed');
