-- Files of disputes: ten a side are reserved for each case, and nothing of them stands in a table that other requests read.

create domain files_of_side as smallint check (value between 0 and 10);
create domain file_type as text
  check (value in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'text/plain'));
create domain file_name as text check (length(value) between 1 and 100 and value !~ '[/\\[:cntrl:]]');
create domain file_size as integer check (value between 1 and 5000000);

alter table disputes
  add column buyer_files files_of_side not null default 0,
  add column merchant_files files_of_side not null default 0;

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
  name file_name not null,
  type file_type not null,
  size file_size not null,
  -- Of the bytes that are kept.
  sha256 sha256 not null,
  salt bytea not null check (length(salt) = 16),
  -- Of the salt and the hash: what a decision names.
  salted_sha256 sha256 not null,
  created_at timestamptz not null,
  primary key (business_id, dispute_id, id),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  unique (business_id, dispute_id, side, of_side),
  unique (business_id, dispute_id, number),
  constraint dispute_files_salted check (salted_sha256 = sha256(salt || sha256)),
  constraint dispute_files_author check ((side = 'buyer') = (author_kind = 'wallet'))
);
create trigger dispute_files_kept before update or delete on dispute_files
  for each row execute function refuse_change();

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
