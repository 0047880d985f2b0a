-- The first answer to each Idempotency-Key, kept for a day of real time and committed with the effect it tells of.
create table idempotency_keys (
  business_id text collate "C" not null references businesses (id),
  environment text not null check (environment in ('test', 'live')),
  key text collate "C" not null check (length(key) between 1 and 255),
  fingerprint bytea not null check (length(fingerprint) = 32),
  status smallint not null check (status between 200 and 499),
  body text not null,
  created_at timestamptz not null,
  primary key (business_id, environment, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
