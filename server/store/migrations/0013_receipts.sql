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
