-- The members of businesses, invitations to them, and what was done there.

create table members (
  business_id text collate "C" not null references businesses (id),
  -- Without a foreign key, which would not begin with the business; users are never deleted.
  user_id text collate "C" not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'read_only')),
  created_at timestamptz not null,
  primary key (business_id, user_id)
);
create index members_user on members (user_id);

create table invitations (
  business_id text collate "C" not null references businesses (id),
  id text collate "C" not null,
  hash bytea not null check (length(hash) = 32),
  email text not null,
  email_key text collate "C" not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'read_only')),
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

alter table api_keys add column name text check (length(name) between 1 and 100);
