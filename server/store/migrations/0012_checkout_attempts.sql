-- What the hosted checkout knows of payments that are not on chain yet, and the terms texts that buyers were shown.

-- A transaction that was built for an account, or one that was seen on its way by its signature. They never bind anything:
-- every open page shows them, and the relay sends again what it was given to send.
create table checkout_attempts (
  business_id text collate "C" not null references businesses (id),
  intent_id text collate "C" not null,
  kind text not null check (kind in ('built', 'sent')),
  -- The account a transaction was built for, or the signature of one that was sent.
  id text collate "C" not null,
  environment environment not null,
  -- Null: a page reported the signature alone.
  account text,
  created_at timestamptz not null,
  -- After it the transaction can no longer land. Time of the environment, as the columns before and after it.
  until timestamptz not null,
  ended_at timestamptz,
  -- Why it ended without a payment.
  failure text check (failure in ('failed', 'expired')),
  -- What the relay sends again, in base64; null: the wallet sends it itself.
  transaction text check (length(transaction) <= 1644),
  -- When the relay looks at it next, in real time. A claim moves it on, so it is the lease too.
  due_at timestamptz,
  primary key (business_id, intent_id, kind, id),
  check (kind = 'sent' or (account = id and transaction is null and ended_at is null)),
  check ((kind = 'sent') = (due_at is not null)),
  check (failure is null or ended_at is not null)
) with (fillfactor = 70);
create index checkout_attempts_due on checkout_attempts (environment, due_at) where kind = 'sent' and ended_at is null;
create index checkout_attempts_until on checkout_attempts (environment, until);

-- Each text under its SHA-256, as long as the payments that name it.
create table checkout_terms (
  business_id text collate "C" not null references businesses (id),
  intent_id text collate "C" not null,
  hash text collate "C" not null,
  body text not null,
  created_at timestamptz not null,
  primary key (business_id, intent_id, hash),
  check (hash = encode(sha256(convert_to(body, 'UTF8')), 'hex'))
);
-- A link to a text brings its hash alone.
create index checkout_terms_hash on checkout_terms (hash);

-- Whether the text that a payment names was kept here when the payment was recorded.
alter table payments
  add column terms_known boolean not null default false,
  add constraint payments_terms_known check (not terms_known or terms_hash is not null);
