-- A business's looks on buyers' pages.

-- The colour of its buttons, on which a text in white or in ink can be read. Null: the pages' own.
alter table businesses add column color text collate "C" check (color ~ '^#[0-9a-f]{6}$');

-- Its logo, without the picture's metadata. Buyers' pages ask for it by its hash.
create table business_logos (
  business_id text collate "C" primary key references businesses (id),
  sha256 text collate "C" not null,
  type text collate "C" not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (length(bytes) between 1 and 100000),
  check (sha256 = encode(sha256(bytes), 'hex'))
);
create index business_logos_sha256 on business_logos (sha256);

-- The side that the arbiter asks; null: both are.
alter table dispute_questions add column asked_side dispute_side;
-- Until that side has answered: then the other has its word.
alter table disputes add column asked_side dispute_side check (asked_side is null or question_until is not null);

-- What an arbiter noted on a dispute; no one else reads it.
create table dispute_notes (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  -- The id of a user.
  user_id text collate "C" not null,
  text statement_text not null,
  noted_at timestamptz not null,
  primary key (business_id, dispute_id, user_id),
  foreign key (business_id, dispute_id) references disputes (business_id, id)
);
