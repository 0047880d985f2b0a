-- What the chain showed of a deployment's program and operator account, and what of it the operator of the service has
-- confirmed: by a setting, or by having been there when the database was joined to the chain. The two differ while a change
-- is not confirmed; no checkout is built then.
create table deployments (
  environment environment primary key references chains (environment) on delete cascade,
  -- When and at which slot something was last found changed: for a minute an answer from before that slot is ignored.
  slot bigint not null,
  changed_at timestamptz not null default now(),
  authority text not null,
  arbiter text not null,
  pending_authority text,
  pending_arbiter text,
  -- 'none': nobody can replace the program.
  upgrade_authority text not null,
  program_slot bigint not null,
  program_hash text not null check (length(program_hash) = 64),
  confirmed_arbiter text not null,
  confirmed_upgrade_authority text not null,
  confirmed_program_hash text not null check (length(confirmed_program_hash) = 64),
  -- How many of these values have changed since the database was joined.
  changes integer not null default 0 check (changes >= 0)
);
