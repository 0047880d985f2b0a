-- The words and files of a case are erased with their salts: after the operator's time, or on request. Hashes, the decision
-- and amounts stay.

create domain erased_part as text check (value in ('case', 'statement', 'file', 'reasons'));
create domain erasure_cause as text check (value in ('retention', 'request'));

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

alter table disputes add column erased_at timestamptz;
-- Ended cases with words, by a time that is no later than their end.
create index disputes_kept on disputes (environment, (coalesce(closed_at, last_word_at)))
  where status in ('decided', 'closed') and erased_at is null;

alter table dispute_statements
  alter column text drop not null,
  alter column salt drop not null,
  add column erased_at timestamptz,
  add constraint dispute_statements_erased check (
    num_nulls(text, salt) = case when erased_at is null then 0 else 2 end);
drop trigger dispute_statements_kept on dispute_statements;
create trigger dispute_statements_kept before update or delete on dispute_statements
  for each row execute function refuse_change_but_erasure('text', 'salt');

-- The plain hash goes too: by it anyone could test a guess of the content.
alter table dispute_files
  alter column name drop not null,
  alter column sha256 drop not null,
  alter column salt drop not null,
  add column erased_at timestamptz,
  add constraint dispute_files_erased check (
    num_nulls(name, sha256, salt) = case when erased_at is null then 0 else 3 end);
drop trigger dispute_files_kept on dispute_files;
create trigger dispute_files_kept before update or delete on dispute_files
  for each row execute function refuse_change_but_erasure('name', 'sha256', 'salt');

alter table dispute_questions
  alter column text drop not null,
  add column erased_at timestamptz,
  add constraint dispute_questions_erased check ((text is null) = (erased_at is not null));

alter table dispute_decisions
  alter column record drop not null,
  add column erased_at timestamptz,
  add constraint dispute_decisions_erased check ((record is null) = (erased_at is not null));
drop trigger dispute_decisions_kept on dispute_decisions;
create trigger dispute_decisions_kept before update on dispute_decisions
  for each row execute function refuse_change_but_erasure('record');

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
