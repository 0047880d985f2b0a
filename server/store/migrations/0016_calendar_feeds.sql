-- Calendars of releases, each of one member: who has the secret link reads it without a session.
create table calendar_feeds (
  business_id text collate "C" not null,
  environment environment not null,
  user_id text collate "C" not null,
  -- Of the secret in the link.
  hash sha256 not null,
  created_at timestamptz not null default now(),
  primary key (business_id, environment, user_id)
);
-- A link brings its hash alone.
create index calendar_feeds_hash on calendar_feeds (hash);
