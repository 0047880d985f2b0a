-- The arbiter's desk: who holds a case, what the arbiter asked, which letters warned of its dates; and what the operator says
-- of disputes before one is opened.

create domain questions_of_case as smallint check (value between 0 and 2);
create domain arbiter_warning as text check (value in ('due_soon', 'overdue', 'resolve_30', 'resolve_7', 'resolve_1'));

alter table disputes
  add column questions questions_of_case not null default 0,
  -- Both sides may write until then, as the arbiter asked.
  add column question_until timestamptz,
  add column buyer_to_answer boolean not null default false,
  add column merchant_to_answer boolean not null default false,
  add constraint disputes_question check (
    (question_until is null or questions > 0)
    and (question_until is not null or not (buyer_to_answer or merchant_to_answer)));
-- The queue of all businesses, by the dates that hold.
create index disputes_queue on disputes (environment, status, (coalesce(decide_by, resolve_by)), id);
-- The desk brings the id of a case alone.
create index disputes_id on disputes (id);

create table dispute_questions (
  business_id text collate "C" not null,
  dispute_id text collate "C" not null,
  number smallint not null check (number between 1 and 2),
  -- The id of a user.
  asked_by text collate "C" not null,
  text statement_text not null,
  asked_at timestamptz not null,
  until timestamptz not null check (until > asked_at),
  primary key (business_id, dispute_id, number),
  foreign key (business_id, dispute_id) references disputes (business_id, id)
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

-- Each letter once for each date: a question moves `decide_by`.
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

-- The last time at which a user left a business, by whatever way: within a year, the user decides none of its disputes.
create table former_members (
  business_id text collate "C" not null references businesses (id),
  user_id text collate "C" not null,
  left_at timestamptz not null,
  primary key (business_id, user_id)
);
insert into former_members (business_id, user_id, left_at)
  select business_id, target, max(recorded_at) from audit_log
  where action = 'member.removed' and target is not null group by business_id, target;
create index former_members_user on former_members (user_id);
create function keep_former_member() returns trigger language plpgsql as $$
begin
  insert into former_members (business_id, user_id, left_at) values (old.business_id, old.user_id, now())
  on conflict (business_id, user_id) do update set left_at = excluded.left_at;
  return null;
end $$;
create trigger members_left after delete on members for each row execute function keep_former_member();
