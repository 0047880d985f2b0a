-- Browsers in which somebody signed in before: their tries to sign in are counted apart from those of strangers.

create table known_browsers (
  user_id text collate "C" not null references users (id),
  -- SHA-256 of the value of the browser's cookie.
  hash bytea not null check (length(hash) = 32),
  last_used_at timestamptz not null,
  primary key (user_id, hash)
);
create index known_browsers_hash on known_browsers (hash);
create index known_browsers_last_used_at on known_browsers (last_used_at);

-- So many wrong codes followed the right password that somebody else may have it: a browser that is not known signs in by
-- another password alone.
alter table users add column password_exposed_at timestamptz;
