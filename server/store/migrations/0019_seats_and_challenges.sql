-- A seat is held by a signed transaction (§13.21.5), so the network that asked does not count.
alter table payment_link_places drop column network;

-- The nonce of a challenge says by itself until when it holds and what it is for, by this secret, so that nothing is kept of
-- a challenge before it was answered. Who knows the secret still needs the wallet or passkey: it only makes answers fresh.
create table nonce_secret (
  is_only boolean primary key default true check (is_only),
  secret bytea not null check (length(secret) = 32)
);
insert into nonce_secret (secret) values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- The challenges that were used (§16.2), until these end.
drop table dispute_challenges;
create table dispute_challenges (
  business_id text collate "C" not null,
  nonce text collate "C" not null check (length(nonce) = 48),
  payment_address text collate "C" not null,
  expires_at timestamptz not null,
  primary key (business_id, nonce)
);
create index dispute_challenges_payment on dispute_challenges (business_id, payment_address);
create index dispute_challenges_expires_at on dispute_challenges (expires_at);
