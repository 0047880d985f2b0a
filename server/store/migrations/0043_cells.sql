-- The cells of the deployment beside cell 0, which is this database itself: each is the schema cell_<number> on a server
-- that the settings name. In a cell the table stays empty.

create table cells (
  number smallint primary key check (number between 1 and 63),
  server text collate "C" not null,
  added_at timestamptz not null default now(),
  -- When the first process started that serves it. Until then no business goes there by itself.
  served_at timestamptz,
  moved_at timestamptz
);
