-- The arbiter's decisions: records that are frozen before they are signed, and the rulings that the chain shows.

create domain ruling_memo as text check (value in ('record', 'unknown', 'none', 'other_signer', 'several'));

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
  record text not null check (octet_length(record) <= 100000),
  sha256 sha256 not null,
  created_at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  foreign key (business_id, dispute_id, offer_id) references dispute_offers (business_id, dispute_id, id),
  unique (business_id, dispute_id, number),
  unique (business_id, dispute_id, sha256),
  constraint dispute_decisions_sha256 check (sha256 = sha256(convert_to(record, 'UTF8')))
);
create trigger dispute_decisions_kept before update on dispute_decisions
  for each row execute function refuse_change();

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
