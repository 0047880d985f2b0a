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
create domain files_of_side as smallint check (value between 0 and 10);
create domain file_type as text
  check (value in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'text/plain'));
create domain file_name as text check (length(value) between 1 and 100 and value !~ '[/\\[:cntrl:]]');
create domain file_size as integer check (value between 1 and 5000000);
create domain questions_of_case as smallint check (value between 0 and 2);
create domain arbiter_warning as text check (value in ('due_soon', 'overdue', 'resolve_30', 'resolve_7', 'resolve_1'));
create domain ruling_memo as text check (value in ('record', 'unknown', 'none', 'other_signer', 'several'));
create domain dispute_notice as text check (value in ('opened', 'turn', 'due_soon', 'offer', 'closed'));
create domain erased_part as text check (value in ('case', 'statement', 'file', 'reasons'));
create domain erasure_cause as text check (value in ('retention', 'request'));
-- The waits of a case, in days (§4.18.12).
create domain answer_days as smallint check (value between 3 and 14);
create domain decide_days as smallint check (value between 7 and 30);
create domain agreement_days as smallint check (value between 3 and 14);

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
  buyer_files files_of_side not null default 0,
  merchant_files files_of_side not null default 0,
  questions questions_of_case not null default 0,
  -- Both sides may write until then, as the arbiter asked.
  question_until timestamptz,
  buyer_to_answer boolean not null default false,
  merchant_to_answer boolean not null default false,
  -- Words and files are erased with their salts, after the operator's time or on request. Hashes, the decision and amounts
  -- stay.
  erased_at timestamptz,
  -- The waits, in days, with which it began (§4.18.12).
  answer_days answer_days not null default 5,
  decide_days decide_days not null default 14,
  agreement_days agreement_days not null default 7,
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
    when status in ('paused', 'decided', 'closed') then next_at is null else true end),
  constraint disputes_question check (
    (question_until is null or questions > 0)
    and (question_until is not null or not (buyer_to_answer or merchant_to_answer)))
);
create index disputes_recorded on disputes (business_id, environment, id);
-- Those that time alone changes; a loop reads them every second.
create index disputes_next_at on disputes (environment, next_at) where next_at is not null;
-- The queue of all businesses, by the dates that hold.
create index disputes_queue on disputes (environment, status, (coalesce(decide_by, resolve_by)), id);
-- The desk brings the id of a case alone.
create index disputes_id on disputes (id);
-- Ended cases with words, by a time that is no later than their end.
create index disputes_kept on disputes (environment, (coalesce(closed_at, last_word_at)))
  where status in ('decided', 'closed') and erased_at is null;
-- Each list of disputes walks an index in its order, however many cases a business has.
create index disputes_status on disputes (business_id, environment, status, id);
create index disputes_intent on disputes (business_id, intent_id);
create index disputes_turn on disputes (business_id, environment, turn, id) where turn <> 'nobody';
create index disputes_open on disputes (business_id, environment, id) where turn <> 'nobody';
-- The time at which an open case is due.
create index disputes_due on disputes (business_id, environment, turn, (
  case status when 'talking' then answer_by when 'deciding' then coalesce(question_until, decide_by)
    when 'agreed' then next_at end), id) where turn <> 'nobody';

-- The operator's own waits; without a row the defaults of a case hold.
create table dispute_waits (
  environment environment primary key,
  answer_days answer_days not null,
  decide_days decide_days not null,
  agreement_days agreement_days not null,
  set_at timestamptz not null
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed or deleted.', tg_table_name;
end $$;
-- Rows that are never deleted, and changed only by erasing the columns that the trigger names.
create function refuse_change_but_erasure() returns trigger language plpgsql as $$
declare
  erasable text[] := array_append(tg_argv::text[], 'erased_at');
begin
  if tg_op = 'UPDATE' then
    if old.erased_at is null and new.erased_at is not null and to_jsonb(new) - erasable = to_jsonb(old) - erasable then
      return new;
    end if;
  end if;
  raise exception 'Rows of % are never changed or deleted; their words are only erased.', tg_table_name;
end $$;

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
  text statement_text,
  salt bytea check (length(salt) = 16),
  -- Of the salt and the text.
  sha256 sha256 not null,
  created_at timestamptz not null,
  erased_at timestamptz,
  primary key (business_id, dispute_id, number),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  unique (business_id, dispute_id, side, of_side),
  unique (business_id, dispute_id, side, day, of_day),
  constraint dispute_statements_sha256 check (sha256 = sha256(salt || convert_to(text, 'UTF8'))),
  constraint dispute_statements_author check ((side = 'buyer') = (author_kind = 'wallet')),
  constraint dispute_statements_erased check (
    num_nulls(text, salt) = case when erased_at is null then 0 else 2 end)
);
create trigger dispute_statements_kept before update or delete on dispute_statements
  for each row execute function refuse_change_but_erasure('text', 'salt');

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
  author text collate "C" not null,
  author_kind text not null check (author_kind in ('wallet', 'user')),
  -- A buyer's offer is signed; a member of the business makes the merchant's.
  signed_text text check (length(signed_text) <= 4000),
  signature text check (length(signature) <= 4000),
  -- The acceptance of the other side.
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
  constraint dispute_offers_accepted check (
    (accepted_at is null) = (accepted_by is null)
    and (status = 'accepted') = (accepted_at is not null)
    and (accepted_text is null) = (accepted_signature is null)
    and (accepted_text is not null) = (side = 'merchant' and status = 'accepted'))
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
  primary key (business_id, dispute_id),
  foreign key (business_id, dispute_id, offer_id) references dispute_offers (business_id, dispute_id, id),
  constraint dispute_agreements_end check (failed_at is null or executed_at is null)
);

-- Proofs of buyers. A challenge belongs to the browser that asked, and is used once.
create table dispute_challenges (
  business_id text collate "C" not null,
  nonce text collate "C" not null check (length(nonce) between 16 and 64),
  payment_address text collate "C" not null,
  wallet text collate "C" not null,
  -- Of the secret of the browser.
  browser sha256 not null,
  way text not null check (way in ('message', 'transaction', 'memo')),
  act text not null check (length(act) between 1 and 40),
  -- The text to sign.
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
  way text not null check (way in ('message', 'transaction', 'memo')),
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

-- Files: ten a side are reserved for each case, and nothing of them stands in a table that other requests read.

-- Sent once and never edited. The numbers within a side are the limit.
create table dispute_files (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  id text collate "C" not null,
  number smallint not null check (number between 1 and 20),
  side dispute_side not null,
  of_side smallint not null check (of_side between 1 and 10),
  -- A wallet, or the id of a user or of a key.
  author text collate "C" not null,
  author_kind text not null check (author_kind in ('wallet', 'user', 'key')),
  name file_name,
  type file_type not null,
  size file_size not null,
  -- Of the bytes that are kept. It is erased with them: by it anyone could test a guess of the content.
  sha256 sha256,
  salt bytea check (length(salt) = 16),
  -- Of the salt and the hash: what a decision names.
  salted_sha256 sha256 not null,
  created_at timestamptz not null,
  erased_at timestamptz,
  primary key (business_id, dispute_id, id),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  unique (business_id, dispute_id, side, of_side),
  unique (business_id, dispute_id, number),
  constraint dispute_files_salted check (salted_sha256 = sha256(salt || sha256)),
  constraint dispute_files_author check ((side = 'buyer') = (author_kind = 'wallet')),
  constraint dispute_files_erased check (
    num_nulls(name, sha256, salt) = case when erased_at is null then 0 else 3 end)
);
create trigger dispute_files_kept before update or delete on dispute_files
  for each row execute function refuse_change_but_erasure('name', 'sha256', 'salt');

-- The bytes of a file, apart from what lists read, in parts that are written and read one by one.
create table dispute_file_parts (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  file_id text collate "C" not null,
  number smallint not null check (number between 1 and 20),
  bytes bytea not null check (length(bytes) between 1 and 262144),
  primary key (business_id, dispute_id, file_id, number),
  -- Parts are written before the lock of the case, the file under it.
  foreign key (business_id, dispute_id, file_id) references dispute_files (business_id, dispute_id, id)
    deferrable initially deferred
);
-- Pictures do not get smaller.
alter table dispute_file_parts alter column bytes set storage external;

-- A file that was announced and not yet sent. Its token is in the path of the upload, and holds for ten minutes.
create table dispute_uploads (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  environment environment not null,
  side dispute_side not null,
  slot smallint not null check (slot between 1 and 10),
  token_hash sha256 not null,
  author text collate "C" not null,
  author_kind text not null check (author_kind in ('wallet', 'user', 'key')),
  name file_name not null,
  size file_size not null,
  -- Of the bytes that will be sent.
  sha256 sha256 not null,
  expires_at timestamptz not null,
  primary key (business_id, dispute_id, side, slot),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  unique (token_hash),
  constraint dispute_uploads_author check ((side = 'buyer') = (author_kind = 'wallet'))
);

-- The arbiter's desk: what the arbiter asked, who holds a case, which emails warned of its dates; and what the operator says
-- of disputes before one is opened.

create table dispute_questions (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  number smallint not null check (number between 1 and 2),
  -- The id of a user.
  asked_by text collate "C" not null,
  text statement_text,
  asked_at timestamptz not null,
  until timestamptz not null check (until > asked_at),
  erased_at timestamptz,
  primary key (business_id, dispute_id, number),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  constraint dispute_questions_erased check ((text is null) = (erased_at is not null))
);

-- Who holds a case, and who held it before: one at a time.
create table dispute_holders (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  number integer not null check (number > 0),
  user_id text collate "C" not null,
  held_at timestamptz not null,
  ended_at timestamptz,
  primary key (business_id, dispute_id, number),
  foreign key (business_id, dispute_id) references disputes (business_id, id)
);
create unique index dispute_holders_now on dispute_holders (business_id, dispute_id) where ended_at is null;
create index dispute_holders_user on dispute_holders (user_id) where ended_at is null;
-- The cases of a user who is no arbiter any more go back to the queue: nobody else could claim them or hand them over.
create function end_holds() returns trigger language plpgsql as $$
begin
  update dispute_holders h set ended_at = date_trunc('milliseconds', clock_timestamp()) + c.ahead
    from disputes d join clocks c on c.environment = d.environment
    where h.user_id = new.id and h.ended_at is null and d.business_id = h.business_id and d.id = h.dispute_id;
  return null;
end $$;
create trigger users_no_arbiter after update of is_arbiter on users
  for each row when (old.is_arbiter and not new.is_arbiter) execute function end_holds();

-- Each warning once for each date: a question moves `decide_by`.
create table arbiter_letters (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  warning arbiter_warning not null,
  due_at timestamptz not null,
  sent_at timestamptz not null,
  primary key (business_id, dispute_id, warning, due_at),
  foreign key (business_id, dispute_id) references disputes (business_id, id)
);

-- The usual outcome of a dispute, by its reason, in the operator's words.
create table usual_outcomes (
  reason dispute_reason primary key,
  text offer_text not null,
  set_at timestamptz not null
);

-- Since when a business decides its disputes itself, or no longer does. It holds for intents created after.
create table own_arbiters (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  since timestamptz not null,
  is_own boolean not null,
  primary key (business_id, environment, since)
);

-- The arbiter's decisions: records that are frozen before they are signed, and the rulings that the chain shows.

-- A draft until the ruling with its hash lands. Never changed; the others go once the case is closed.
create table dispute_decisions (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  id text collate "C" not null,
  -- The order among those of the case, which is their limit too.
  number smallint not null check (number between 1 and 20),
  -- The user who decided, and stated to have no interest in the case.
  user_id text collate "C" not null,
  -- The wallet that is to sign.
  arbiter text collate "C" not null,
  total part_amount not null,
  -- The offer that both sides agreed on, in place of reasons.
  offer_id text collate "C",
  -- Canonical JSON (RFC 8785).
  record text check (octet_length(record) <= 100000),
  sha256 sha256 not null,
  created_at timestamptz not null,
  erased_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  foreign key (business_id, dispute_id, offer_id) references dispute_offers (business_id, dispute_id, id),
  unique (business_id, dispute_id, number),
  unique (business_id, dispute_id, sha256),
  constraint dispute_decisions_sha256 check (sha256 = sha256(convert_to(record, 'UTF8'))),
  constraint dispute_decisions_erased check ((record is null) = (erased_at is not null))
);
create trigger dispute_decisions_kept before update on dispute_decisions
  for each row execute function refuse_change_but_erasure('record');

-- The ruling of a case as its transaction shows it, with the memo that the arbiter signed.
create table dispute_rulings (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  signature text collate "C" not null,
  slot bigint not null,
  arbiter text collate "C" not null,
  -- The total that it names. What was bound before may be more.
  total part_amount not null,
  memo ruling_memo not null,
  -- The frozen record that the memo names.
  decision_id text collate "C",
  offer_id text collate "C",
  sha256 text collate "C" check (sha256 ~ '^[0-9a-f]{64}$'),
  ruled_at timestamptz not null,
  primary key (business_id, dispute_id),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  foreign key (business_id, decision_id) references dispute_decisions (business_id, id),
  constraint dispute_rulings_memo check (
    (memo = 'record') = (decision_id is not null) and (memo <> 'record' or sha256 is not null)
    and (memo in ('record', 'unknown') or sha256 is null) and (offer_id is null or memo = 'record'))
);

-- Emails about disputes. What a side is to be told is recorded with the change; a loop gathers it into emails. A change of a
-- case tells a side each thing once.
create table dispute_notices (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  side dispute_side not null,
  kind dispute_notice not null,
  version integer not null check (version > 0),
  environment environment not null,
  -- Time of the environment; null: at once.
  due_at timestamptz,
  -- The end of the turn that is told of.
  until timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, dispute_id, side, kind, version),
  foreign key (business_id, dispute_id) references disputes (business_id, id) on delete cascade,
  constraint dispute_notices_turn check ((kind in ('turn', 'due_soon')) = (until is not null)),
  constraint dispute_notices_due check ((kind = 'due_soon') = (due_at is not null))
);
create index dispute_notices_due_at on dispute_notices (environment, side, coalesce(due_at, created_at));
create index dispute_notices_created_at on dispute_notices (created_at);

-- The time of the next email to the members of a business: however many cases there are, their news is one email.
create table dispute_letters (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  next_at timestamptz not null,
  primary key (business_id, environment)
);

-- The address to which a buyer's emails about a case go. It is written to once its link was opened by a proven browser.
create table dispute_addresses (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  -- Null: removed. The row stays, so that removing does not renew the number of links of a day.
  email text check (length(email) <= 254),
  day integer not null,
  links_of_day smallint not null check (links_of_day between 1 and 3),
  -- Of the link's secret; null before it is sent.
  link_hash sha256,
  changed_at timestamptz not null,
  confirmed_at timestamptz,
  next_at timestamptz not null default now(),
  primary key (business_id, dispute_id),
  foreign key (business_id, dispute_id) references disputes (business_id, id) on delete cascade,
  constraint dispute_addresses_confirmed check (confirmed_at is null or (email is not null and link_hash is not null))
);
-- How many cases write to one address.
create index dispute_addresses_email on dispute_addresses (lower(email));

-- What was erased of a case, why and by whom.
create table dispute_erasures (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  number integer not null check (number > 0),
  part erased_part not null,
  -- The number of a statement, or the id of a file.
  target text collate "C",
  cause erasure_cause not null,
  -- The operator's note of a request.
  note offer_text,
  -- The user at the command line, or the service.
  erased_by text not null check (length(erased_by) between 1 and 200),
  erased_at timestamptz not null,
  primary key (business_id, dispute_id, number),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  constraint dispute_erasures_target check ((part in ('statement', 'file')) = (target is not null)),
  constraint dispute_erasures_note check ((cause = 'request') = (note is not null))
);
create index dispute_erasures_at on dispute_erasures (erased_at desc, dispute_id, number);
