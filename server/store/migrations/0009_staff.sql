-- Users of the dashboard, how they sign in, the businesses of which they are members, and the logs of what was done.

-- Users belong to no business.
create table users (
  id text collate "C" primary key,
  -- As it is shown; and in the form in which two spellings of one address are equal.
  email text not null check (length(email) between 3 and 254),
  email_key text collate "C" not null unique,
  name text not null check (length(name) between 1 and 100),
  -- scrypt with its cost: $scrypt$ln=…,r=…,p=…$salt$hash. Null: no password was ever set.
  password text check (password like '$scrypt$%'),
  -- The secret of the authenticator app, sealed. It counts once a code has proven that the app has it.
  totp_secret text,
  totp_confirmed_at timestamptz,
  -- The step of the last code that was used: no code works twice.
  totp_step bigint not null default 0,
  is_operator boolean not null default false,
  is_arbiter boolean not null default false,
  created_at timestamptz not null,
  -- When the limit of wrong codes after the right password was reached: the password may be known to somebody else, so a
  -- browser that is not known signs in by another password alone.
  password_exposed_at timestamptz,
  check (totp_confirmed_at is null or totp_secret is not null)
);

create table backup_codes (
  user_id text collate "C" not null references users (id),
  hash bytea not null check (length(hash) = 32),
  used_at timestamptz,
  primary key (user_id, hash)
);

create table passkeys (
  user_id text collate "C" not null references users (id),
  id text collate "C" not null,
  credential_id text collate "C" not null unique,
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (user_id, id)
);

create table sessions (
  -- SHA-256 of the cookie's value.
  hash bytea primary key check (length(hash) = 32),
  user_id text collate "C" not null references users (id),
  id text collate "C" not null,
  method text not null check (method in ('password', 'password_and_code', 'password_and_backup_code', 'passkey', 'link')),
  address text not null,
  user_agent text not null check (length(user_agent) <= 400),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  proven_at timestamptz not null,
  expires_at timestamptz not null,
  unique (user_id, id)
);

-- Browsers in which the user signed in before: their tries to sign in are counted apart from those of strangers.
create table known_browsers (
  user_id text collate "C" not null references users (id),
  -- SHA-256 of the value of the browser's cookie.
  hash bytea not null check (length(hash) = 32),
  last_used_at timestamptz not null,
  primary key (user_id, hash)
);
create index known_browsers_hash on known_browsers (hash);
create index known_browsers_last_used_at on known_browsers (last_used_at);

-- Secrets that are good once and for minutes: the challenge of a passkey, the ticket between password and code, a link by email.
create table one_time_secrets (
  hash bytea primary key check (length(hash) = 32),
  purpose text not null
    check (purpose in ('first_owner', 'set_password', 'second_factor', 'passkey_sign_in', 'passkey_registration', 'passkey_proof')),
  user_id text collate "C" references users (id),
  expires_at timestamptz not null,
  check ((user_id is null) = (purpose in ('first_owner', 'passkey_sign_in')))
);
create index one_time_secrets_user on one_time_secrets (user_id, purpose);
create index one_time_secrets_expires_at on one_time_secrets (expires_at);

-- Tries in a window of time, by what is tried: an account, an address, a second factor.
create table sign_in_tries (
  subject text collate "C" primary key,
  window_ends_at timestamptz not null,
  used integer not null
) with (fillfactor = 70);

create table user_log (
  user_id text collate "C" not null references users (id),
  id text collate "C" not null,
  action text not null,
  details text not null,
  actor text not null,
  actor_name text not null,
  address text,
  recorded_at timestamptz not null,
  primary key (user_id, id)
);

create table members (
  business_id text collate "C" not null references businesses (id),
  -- Without a foreign key, which would not begin with the business; users are never deleted.
  user_id text collate "C" not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'disputes', 'read_only')),
  created_at timestamptz not null,
  -- The emails that a member chose; null: those of the role.
  dispute_notices text[]
    constraint members_dispute_notices check (dispute_notices <@ array['opened', 'turn', 'due_soon', 'offer', 'closed']),
  primary key (business_id, user_id)
);
create index members_user on members (user_id);

-- The last time at which a user left a business, by whatever way: within a year, the user decides none of its disputes.
create table former_members (
  business_id text collate "C" not null references businesses (id),
  user_id text collate "C" not null,
  left_at timestamptz not null,
  primary key (business_id, user_id)
);
create index former_members_user on former_members (user_id);
create function keep_former_member() returns trigger language plpgsql as $$
begin
  insert into former_members (business_id, user_id, left_at) values (old.business_id, old.user_id, now())
  on conflict (business_id, user_id) do update set left_at = excluded.left_at;
  return null;
end $$;
create trigger members_left after delete on members for each row execute function keep_former_member();

create table invitations (
  business_id text collate "C" not null references businesses (id),
  id text collate "C" not null,
  hash bytea not null check (length(hash) = 32),
  email text not null,
  email_key text collate "C" not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'disputes', 'read_only')),
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (business_id, id),
  check (accepted_at is null or revoked_at is null)
);
-- One invitation at a time for an address.
create unique index invitations_open on invitations (business_id, email_key) where accepted_at is null and revoked_at is null;

-- Append-only: no statement of the service changes or deletes a row.
create table audit_log (
  business_id text collate "C" not null references businesses (id),
  id text collate "C" not null,
  environment text check (environment in ('test', 'live')),
  action text not null,
  target text,
  details text not null,
  actor text not null,
  actor_name text not null,
  address text,
  recorded_at timestamptz not null,
  primary key (business_id, id)
);
