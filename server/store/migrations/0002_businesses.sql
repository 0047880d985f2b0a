-- Businesses, their profile, domain, keys and saved recipients.
-- business_id leads every key of a business's table but that of payments, whose address the chain makes unique. Other look-ups
-- that come without a business go through small tables of their own (api_key_hashes, payment_ids).

create table businesses (
  id text collate "C" primary key,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  -- Buyers see it: an e-mail address, or a page.
  support_contact text
    check (length(support_contact) <= 500 and (support_contact like 'https://%' or support_contact like '_%@_%')),
  refund_policy_hash text collate "C",
  -- With {intentId} and {merchantReference}.
  return_url text check (length(return_url) <= 2048 and return_url like 'https://_%'),
  -- Null until it is proven to be the business's own.
  domain text check (length(domain) <= 253 and domain = lower(domain)),
  -- The lifetime of its intents; null if the deployment's setting holds. The bounds are those of that setting.
  intent_lifetime_minutes integer check (intent_lifetime_minutes between 15 and 10080),
  -- The currency in which its books show values. Null: they show none.
  reporting_currency text collate "C" check (reporting_currency ~ '^[A-Z]{3}$'),
  -- The time zone of its exports. Null: UTC.
  time_zone text collate "C" check (length(time_zone) between 1 and 64)
);
-- A business's tag (§10.3) is made of the last twenty bits of its id, five digits.
create unique index businesses_tag on businesses (right(id, 5));

-- A policy is kept under its hash for good, since the terms of payments name it after the business has written another.
create table refund_policies (
  business_id text collate "C" not null references businesses (id),
  hash text collate "C" not null,
  body text not null check (length(body) between 1 and 20000),
  created_at timestamptz not null,
  primary key (business_id, hash),
  check (hash = encode(sha256(convert_to(body, 'UTF8')), 'hex'))
);
alter table businesses add foreign key (id, refund_policy_hash) references refund_policies (business_id, hash);

-- The domain that a business claims, and the result of its last check. Buyers see a proven one, and no other.
create table business_domains (
  business_id text collate "C" primary key references businesses (id),
  -- In the form of DNS: ASCII in lower case.
  domain text not null check (length(domain) <= 253 and domain = lower(domain)),
  -- A file or a record of the domain has to hold it.
  token text not null,
  claimed_at timestamptz not null,
  proven_at timestamptz,
  -- No check since then has found the proof, which was there before.
  failing_since timestamptz check (failing_since is null or proven_at is not null),
  checked_at timestamptz,
  -- The reason why the last check did not find the proof, in a sentence.
  problem text check (length(problem) <= 1000),
  -- Null: only a person has it checked again.
  next_check_at timestamptz,
  proven_domain text generated always as (case when proven_at is not null then domain end) stored,
  -- True if the last check of a domain that the business claimed took so long that others had to wait. It stays with the
  -- business, whatever it claims next.
  is_slow boolean not null default false,
  unique (business_id, proven_domain)
);
create index business_domains_due on business_domains (next_check_at) where next_check_at is not null;
create index business_domains_domain on business_domains (domain);
alter table businesses add foreign key (id, domain) references business_domains (business_id, proven_domain);

create table api_keys (
  business_id text collate "C" not null references businesses (id),
  id text collate "C" not null,
  environment text not null check (environment in ('test', 'live')),
  hash bytea not null check (length(hash) = 32),
  last4 text not null check (length(last4) = 4),
  rate_per_minute integer not null default 120 check (rate_per_minute > 0),
  -- One of five while the key is active; the unique index below is what makes "at most five" exact under races.
  slot smallint check (slot between 1 and 5),
  successor_id text collate "C",
  created_at timestamptz not null,
  rolled_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  name text check (length(name) between 1 and 100),
  -- A key may do everything, only read, or answer disputes (§5.10).
  scope text not null default 'full' check (scope in ('full', 'read', 'disputes')),
  primary key (business_id, id),
  check ((slot is null) = (revoked_at is not null or rolled_at is not null)),
  check ((rolled_at is null) = (successor_id is null)),
  check ((rolled_at is null) = (expires_at is null))
);
create unique index api_keys_slot on api_keys (business_id, environment, slot) where slot is not null;
create table api_key_hashes (
  hash bytea primary key,
  business_id text collate "C" not null,
  key_id text collate "C" not null
);
-- A row for each key, lost in a crash: it holds no more than a minute's count.
create unlogged table key_rates (
  business_id text collate "C" not null,
  key_id text collate "C" not null,
  minute timestamptz not null,
  used integer not null,
  primary key (business_id, key_id)
) with (fillfactor = 50);

-- The wallets to which a business is paid, under names of its own, for its staff. A create may still name any other.
create table saved_recipients (
  business_id text collate "C" not null references businesses (id),
  environment text collate "C" not null check (environment in ('test', 'live')),
  address text collate "C" not null,
  label text not null check (length(label) between 1 and 100),
  -- One of fifty; the unique index below is what makes "at most fifty" exact under races.
  slot smallint not null check (slot between 1 and 50),
  added_at timestamptz not null,
  -- The intent of its last test payment.
  test_intent text collate "C",
  -- The time at which a member found the test payment in the wallet.
  confirmed_at timestamptz,
  confirmed_by text,
  primary key (business_id, environment, address),
  check ((confirmed_at is null) = (confirmed_by is null)),
  check (confirmed_at is null or test_intent is not null)
);
create unique index saved_recipients_slot on saved_recipients (business_id, environment, slot);

-- Wallets that a business had saved and removed: a member who decides disputes has no less of an interest in their payments.
create table former_recipients (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  address text collate "C" not null,
  primary key (business_id, environment, address)
);
create function keep_former_recipient() returns trigger language plpgsql as $$
begin
  insert into former_recipients (business_id, environment, address) values (old.business_id, old.environment, old.address)
  on conflict do nothing;
  return null;
end $$;
create trigger saved_recipients_removed after delete on saved_recipients
  for each row execute function keep_former_recipient();

-- Tenants whose creates may name saved recipients alone. A row that has ended stays, until the next time begins with a new
-- `since`.
create table saved_recipients_only (
  business_id text collate "C" not null references businesses (id),
  environment text collate "C" not null check (environment in ('test', 'live')),
  since timestamptz not null,
  -- The end of the rule; null if it has none.
  ends_at timestamptz check (ends_at > since),
  primary key (business_id, environment)
);
