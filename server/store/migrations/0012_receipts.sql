-- The key in the address of a payment's receipt: 128 random bits in base64url.
create domain receipt_key as text check (value ~ '^[A-Za-z0-9_-]{22}$');

-- The service drafts the key, since the payment's first event shows it. The default fills the payments of before, and those
-- that older processes record while they still run.
alter table payments add column receipt_key receipt_key not null default
  translate(rtrim(encode(substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16), 'base64'), '='), '+/', '-_');

-- A payment that returns has the same key again. Null: it was reverted before there were keys.
alter table reverted_payments add column receipt_key receipt_key;

-- The deployment's keys, which sign JSON receipts. One signs; the public halves of earlier ones stay published, and their
-- secret halves are gone.
create table receipt_signing_keys (
  id text collate "C" primary key,
  public_key text not null,
  -- Encrypted like signing secrets of webhooks.
  sealed_secret text,
  created_at timestamptz not null,
  retired_at timestamptz,
  constraint receipt_signing_keys_secret check ((retired_at is null) = (sealed_secret is not null))
);
create unique index receipt_signing_keys_one on receipt_signing_keys ((true)) where retired_at is null;
