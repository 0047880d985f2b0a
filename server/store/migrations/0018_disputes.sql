-- Disputes: what the chain lacks of them, which is words, offers, clocks and reasons. And fulfillments, facts that a merchant
-- records on an intent.

create domain dispute_status as text check (value in ('talking', 'deciding', 'agreed', 'decided', 'paused', 'closed'));
create domain dispute_reason as text
  check (value in ('not_received', 'not_as_described', 'paid_twice', 'returned_or_canceled', 'other', 'not_given'));
create domain dispute_side as text check (value in ('buyer', 'merchant'));
create domain dispute_turn as text check (value in ('buyer', 'merchant', 'arbiter', 'nobody'));
create domain offer_status as text
  check (value in ('open', 'accepted', 'declined', 'withdrawn', 'replaced', 'expired'));
create domain statement_text as text check (length(value) between 1 and 5000 and octet_length(value) <= 12000);
create domain offer_text as text check (length(value) between 1 and 500);
-- Of one side in one case, and on one day.
create domain words_of_side as smallint check (value between 0 and 20);
create domain words_of_day as smallint check (value between 0 and 5);

-- Roles and scopes that answer disputes.
alter table members drop constraint members_role_check,
  add constraint members_role_check check (role in ('owner', 'admin', 'developer', 'disputes', 'read_only'));
alter table invitations drop constraint invitations_role_check,
  add constraint invitations_role_check check (role in ('owner', 'admin', 'developer', 'disputes', 'read_only'));
alter table api_keys drop constraint api_keys_scope_check,
  add constraint api_keys_scope_check check (scope in ('full', 'read', 'disputes'));

create table disputes (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  id text collate "C" not null,
  payment_address text collate "C" not null,
  intent_id text collate "C" not null,
  merchant_reference text not null,
  amount token_amount not null,
  -- The amount that is bound to the buyer, as the chain showed it last.
  refund_total part_amount not null,
  status dispute_status not null,
  -- The status to which a fork returns the case: it takes back the opening (paused), or the decision.
  resumes_as dispute_status,
  reason dispute_reason not null,
  requested_total part_amount,
  turn dispute_turn not null,
  opened_at whole_second not null,
  answer_by timestamptz not null,
  -- When deciding first began.
  deciding_at timestamptz,
  decide_by timestamptz,
  resolve_by timestamptz not null,
  -- The opening is the buyer's first word.
  last_word_by dispute_side not null,
  last_word_at timestamptz not null,
  buyer_statements words_of_side not null,
  merchant_statements words_of_side not null,
  -- The day of the last statement, in days since 1970 in UTC, and the statements of that day.
  buyer_day integer not null,
  merchant_day integer not null,
  buyer_of_day words_of_day not null,
  merchant_of_day words_of_day not null,
  buyer_offers words_of_side not null,
  merchant_offers words_of_side not null,
  buyer_asked_at timestamptz,
  merchant_asked_at timestamptz,
  -- True once the side has used its one answer while the arbiter decides.
  buyer_wrote_late boolean not null,
  merchant_wrote_late boolean not null,
  closed_at timestamptz,
  created_at timestamptz not null,
  -- Raised by every change; each has one event.
  version generation not null,
  -- When time alone changes the case next.
  next_at timestamptz,
  primary key (business_id, id),
  constraint disputes_payment unique (business_id, payment_address),
  constraint disputes_amounts check (refund_total <= amount and coalesce(requested_total, 0) <= amount),
  constraint disputes_reason check ((reason = 'not_given') = (requested_total is null)),
  constraint disputes_resumes check (
    (status in ('paused', 'decided', 'closed')) = (resumes_as is not null)
    and coalesce(resumes_as, 'talking') in ('talking', 'deciding', 'agreed')),
  constraint disputes_clocks check (
    resolve_by = opened_at + interval '2160 hours'
    and answer_by between opened_at and opened_at + interval '336 hours'
    and (deciding_at is null) = (decide_by is null)
    and coalesce(decide_by, opened_at) <= resolve_by - interval '336 hours'),
  constraint disputes_deciding check (coalesce(resumes_as, status) <> 'deciding' or deciding_at is not null),
  constraint disputes_talking check (coalesce(resumes_as, status) <> 'talking' or deciding_at is null),
  constraint disputes_turn check (
    case status
      when 'talking' then turn in ('buyer', 'merchant')
      when 'agreed' then turn in ('buyer', 'merchant')
      when 'deciding' then turn <> 'nobody'
      else turn = 'nobody'
    end),
  constraint disputes_closed check ((status = 'closed') = (closed_at is not null)),
  constraint disputes_next check (case when status in ('talking', 'agreed') then next_at is not null
    when status in ('paused', 'decided', 'closed') then next_at is null else true end)
);
create index disputes_recorded on disputes (business_id, environment, id);
create index disputes_turn_due on disputes (business_id, environment, turn, next_at, id) where turn <> 'nobody';
-- Those that time alone changes; a loop reads them every second.
create index disputes_next_at on disputes (environment, next_at) where next_at is not null;

-- Sent once and never edited. The numbers within a side and a day are the limits: a second statement with the same violates a key.
create table dispute_statements (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  number smallint not null check (number between 1 and 40),
  side dispute_side not null,
  of_side smallint not null check (of_side between 1 and 20),
  day integer not null,
  of_day smallint not null check (of_day between 1 and 5),
  -- A wallet, or the id of a user or of a key.
  author text collate "C" not null,
  author_kind text not null check (author_kind in ('wallet', 'user', 'key')),
  text statement_text not null,
  salt bytea not null check (length(salt) = 16),
  -- Of the salt and the text.
  sha256 sha256 not null,
  created_at timestamptz not null,
  primary key (business_id, dispute_id, number),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  unique (business_id, dispute_id, side, of_side),
  unique (business_id, dispute_id, side, day, of_day),
  constraint dispute_statements_sha256 check (sha256 = sha256(salt || convert_to(text, 'UTF8'))),
  constraint dispute_statements_author check ((side = 'buyer') = (author_kind = 'wallet'))
);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed or deleted.', tg_table_name;
end $$;
create trigger dispute_statements_kept before update or delete on dispute_statements
  for each row execute function refuse_change();

create table dispute_offers (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  id text collate "C" not null,
  number smallint not null check (number between 1 and 40),
  side dispute_side not null,
  total part_amount not null,
  -- The amount that was bound to the buyer when it was made.
  refund_total part_amount not null,
  text offer_text,
  until timestamptz not null,
  status offer_status not null,
  -- False for an offer made by an API key, until a person confirms it.
  binding boolean not null,
  author text collate "C" not null,
  author_kind text not null check (author_kind in ('wallet', 'user', 'key')),
  -- A buyer's offer is signed.
  signed_text text check (length(signed_text) <= 4000),
  signature text check (length(signature) <= 4000),
  -- A user: the offer of a key, confirmed.
  confirmed_by text collate "C",
  confirmed_at timestamptz,
  -- The acceptance of the other side. An offer that does not bind yet stays open with it.
  accepted_at timestamptz,
  accepted_by text collate "C",
  accepted_text text check (length(accepted_text) <= 4000),
  accepted_signature text check (length(accepted_signature) <= 4000),
  created_at timestamptz not null,
  primary key (business_id, dispute_id, id),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  unique (business_id, dispute_id, number),
  constraint dispute_offers_total check (total >= refund_total),
  constraint dispute_offers_signed check (
    (side = 'buyer') = (author_kind = 'wallet') and (side = 'buyer') = (signed_text is not null)
    and (side = 'buyer') = (signature is not null)),
  constraint dispute_offers_binding check (binding = (author_kind <> 'key' or confirmed_at is not null)),
  constraint dispute_offers_confirmed check ((confirmed_at is null) = (confirmed_by is null)),
  constraint dispute_offers_accepted check (
    (accepted_at is null) = (accepted_by is null)
    and (status <> 'accepted' or (accepted_at is not null and binding))
    and (accepted_text is null) = (accepted_signature is null)
    and (side = 'buyer' or (accepted_at is null) = (accepted_text is null)))
);
create unique index dispute_offers_open on dispute_offers (business_id, dispute_id, side) where status = 'open';

-- At most one agreement of a case: after one that fails there is no other.
create table dispute_agreements (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  offer_id text collate "C" not null,
  total part_amount not null,
  until timestamptz not null,
  buyer_signed_at timestamptz not null,
  merchant_given_at timestamptz not null,
  agreed_at timestamptz not null,
  failed_at timestamptz,
  executed_at timestamptz,
  -- A transaction that one side has signed, for the other, until its blockhash ends.
  half_signed text check (length(half_signed) <= 4000),
  half_signed_by dispute_side,
  half_signed_until timestamptz,
  primary key (business_id, dispute_id),
  foreign key (business_id, dispute_id, offer_id) references dispute_offers (business_id, dispute_id, id),
  constraint dispute_agreements_end check (failed_at is null or executed_at is null),
  constraint dispute_agreements_half check (num_nulls(half_signed, half_signed_by, half_signed_until) in (0, 3))
);

-- Proofs of buyers. A challenge belongs to the browser that asked, and is used once.
create table dispute_challenges (
  business_id text collate "C" not null,
  nonce text collate "C" not null check (length(nonce) between 16 and 64),
  payment_address text collate "C" not null,
  wallet text collate "C" not null,
  -- Of the secret of the browser.
  browser sha256 not null,
  way text not null check (way in ('message', 'sign_in', 'transaction', 'memo')),
  act text not null check (length(act) between 1 and 40),
  -- The text to sign, or the transaction.
  text text not null check (length(text) <= 8000),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (business_id, nonce),
  check (expires_at > created_at and expires_at <= created_at + interval '168 hours')
);
create index dispute_challenges_payment on dispute_challenges (business_id, payment_address, created_at);
create index dispute_challenges_expires_at on dispute_challenges (expires_at);

create table dispute_sessions (
  business_id text collate "C" not null,
  id text collate "C" not null,
  payment_address text collate "C" not null,
  token_hash sha256 not null,
  wallet text collate "C" not null,
  way text not null check (way in ('message', 'sign_in', 'transaction', 'memo')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  user_agent text not null check (length(user_agent) <= 200),
  primary key (business_id, id),
  check (expires_at <= created_at + interval '720 hours')
);
create index dispute_sessions_payment on dispute_sessions (business_id, payment_address);
-- A cookie brings its token alone.
create index dispute_sessions_hash on dispute_sessions (token_hash);
create index dispute_sessions_expires_at on dispute_sessions (expires_at);

create table fulfillments (
  business_id text collate "C" not null references businesses (id),
  intent_id text collate "C" not null,
  id text collate "C" not null,
  -- The order among those of the intent, which is their limit too.
  number smallint not null check (number between 1 and 20),
  carrier text check (length(carrier) between 1 and 100),
  tracking_number text check (length(tracking_number) between 1 and 100),
  link text check (length(link) between 1 and 2048 and link like 'https://%'),
  sent_at timestamptz,
  delivered_at timestamptz,
  recorded_at timestamptz not null,
  -- The id of a user or of a key.
  recorded_by text collate "C" not null,
  primary key (business_id, intent_id, id),
  unique (business_id, intent_id, number),
  constraint fulfillments_some check (num_nonnulls(carrier, tracking_number, link, sent_at, delivered_at) > 0),
  constraint fulfillments_order check (delivered_at >= sent_at)
);
create trigger fulfillments_kept before update or delete on fulfillments
  for each row execute function refuse_change();
