-- Forms that people sent, so that one whose answer was lost is not done twice. No answer is kept.
create table form_keys (
  form bytea primary key check (length(form) = 32),
  created_at timestamptz not null default now(),
  -- Null while it runs, and for ever if its process was killed or the database was away.
  done_at timestamptz
);
create index form_keys_age on form_keys (created_at);
