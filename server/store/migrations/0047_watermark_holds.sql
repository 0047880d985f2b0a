-- What says why the watermark stands: the last whole list of the history, and since when each signature is known.

alter table chains
  -- The slot up to which the last whole list of the history was complete, when it came in, and whether a second node was
  -- missing for it, so that it counts only as of some minutes before.
  add column listed_slot bigint,
  add column listed_at timestamptz,
  add column listed_by_one boolean not null default false;

alter table chain_inbox add column listed_at timestamptz not null default now();
