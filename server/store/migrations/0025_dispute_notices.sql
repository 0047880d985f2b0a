-- Letters about disputes. What a side is to be told is recorded with the change; a loop gathers it into letters.

create domain dispute_notice as text check (value in ('opened', 'turn', 'due_soon', 'offer', 'closed'));

-- The letters that a member chose; null: those of the role.
alter table members add column dispute_notices text[]
  constraint members_dispute_notices check (dispute_notices <@ array['opened', 'turn', 'due_soon', 'offer', 'closed']);

-- What a side is to be told. A change of a case tells a side each thing once.
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

-- The time of the next letter to the members of a business: however many cases there are, their news is one letter.
create table dispute_letters (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  next_at timestamptz not null,
  primary key (business_id, environment)
);

-- The address to which a buyer's letters about a case go. It is written to once its link was opened by a proven browser.
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
-- Links that are to be sent, and how many cases write to one address.
create index dispute_addresses_link on dispute_addresses (changed_at) where email is not null and link_hash is null;
create index dispute_addresses_email on dispute_addresses (lower(email));
