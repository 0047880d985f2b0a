-- The wallets that a business is paid to, under names of its own, for its staff. A create may still name any other.

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
  -- Somebody of the business found the test payment in the wallet.
  confirmed_at timestamptz,
  confirmed_by text,
  primary key (business_id, environment, address),
  check ((confirmed_at is null) = (confirmed_by is null)),
  check (confirmed_at is null or test_intent is not null)
);
create unique index saved_recipients_slot on saved_recipients (business_id, environment, slot);
