-- The waits of a case, in days (§4.18.12). A case keeps those it began with.
create domain answer_days as smallint check (value between 3 and 14);
create domain decide_days as smallint check (value between 7 and 30);
create domain agreement_days as smallint check (value between 3 and 14);

alter table disputes add column answer_days answer_days not null default 5,
  add column decide_days decide_days not null default 14,
  add column agreement_days agreement_days not null default 7;

-- The operator's own; without a row those above hold.
create table dispute_waits (
  environment environment primary key,
  answer_days answer_days not null,
  decide_days decide_days not null,
  agreement_days agreement_days not null,
  set_at timestamptz not null
);
