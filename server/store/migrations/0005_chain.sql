-- What the service knows of the chains.

-- How far an environment's clock runs ahead of real time. Only a local chain under `test` ever moves it.
create table clocks (
  environment text primary key check (environment in ('test', 'live')),
  ahead interval not null default '0' check (ahead >= '0' and (environment = 'test' or ahead = '0'))
);
insert into clocks (environment) values ('test'), ('live');

-- The cursor is a finalized transaction; watermark is the block time up to which everything is processed at `finalized`.
create table chains (
  environment text primary key check (environment in ('test', 'live')),
  genesis_hash text not null,
  program_id text not null,
  operator text not null,
  cursor_slot bigint not null default 0,
  cursor_signature text,
  -- While a long history is paged in: the oldest signature read so far, and where the cursor goes once it is in.
  page_before text,
  page_cursor_slot bigint,
  page_cursor_signature text,
  watermark timestamptz,
  sweep_paused boolean not null default false,
  reconciled_at timestamptz,
  -- The finalized slot of the watermark (§4.12).
  watermark_slot bigint,
  -- The slot up to which the last whole list of the history was complete, when it came in, and whether a second node was
  -- missing for it, so that it counts only as of some minutes before.
  listed_slot bigint,
  listed_at timestamptz,
  listed_by_one boolean not null default false
);

-- A deployment's program and operator account, as the chain showed them, and what of it the operator of the service has
-- confirmed: by a setting, or by having been there when the database was joined to the chain. The two differ while a change
-- is not confirmed; no checkout is built then.
create table deployments (
  environment environment primary key references chains (environment) on delete cascade,
  -- When and at which slot a change was last found: for a minute an answer from before that slot is ignored.
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

-- Signatures of the operator account, until the sweep has processed them. The sweep takes them in the order of their failed
-- attempts and then of their slots: with an index in that order a step reads its batch, and not the whole backlog to sort it.
create table chain_inbox (
  environment text not null,
  signature text not null,
  slot bigint not null,
  failed boolean not null,
  processed boolean not null,
  attempts integer not null default 0,
  -- A worker has the signature for itself until then: others take the next ones meanwhile. Past it, the worker is taken for
  -- dead.
  leased_until timestamptz,
  listed_at timestamptz not null default now(),
  primary key (environment, signature)
);
create index chain_inbox_unprocessed on chain_inbox (environment, slot) where not processed;
create index chain_inbox_slot on chain_inbox (environment, slot);
create index chain_inbox_next on chain_inbox (environment, attempts, slot) where not processed;

-- The last block heights at which what was built can land. A row is pruned a day later.
create table blockhashes (
  environment text not null,
  blockhash text not null,
  last_valid_block_height bigint not null,
  created_at timestamptz not null default now(),
  primary key (environment, blockhash)
);
create index blockhashes_created on blockhashes (environment, created_at);

-- Mints and recipients as the chain showed them, so that create rarely reads the chain.
create table known_assets (
  environment text not null,
  address text not null,
  is_mint boolean not null,
  decimals smallint,
  token_program text,
  risky_extensions text[] not null default '{}',
  read_at timestamptz not null,
  primary key (environment, address)
);
-- Mints are read again after a day: the oldest come first.
create index known_assets_outdated on known_assets (environment, read_at) where is_mint;
create table known_recipients (
  environment text not null,
  address text not null,
  kind text not null,
  read_at timestamptz not null,
  primary key (environment, address)
);
