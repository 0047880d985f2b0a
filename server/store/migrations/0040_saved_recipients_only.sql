-- Tenants whose creates may name saved recipients alone. A row that has ended stays, until the next time begins with a new `since`.

create table saved_recipients_only (
  business_id text collate "C" not null references businesses (id),
  environment text collate "C" not null check (environment in ('test', 'live')),
  since timestamptz not null,
  -- The end of the rule; null if nobody has asked to end it.
  ends_at timestamptz check (ends_at > since),
  primary key (business_id, environment)
);
