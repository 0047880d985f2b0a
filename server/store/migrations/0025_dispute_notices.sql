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
