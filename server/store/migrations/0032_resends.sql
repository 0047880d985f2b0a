-- Resends of many deliveries and replays, each under an id that its caller chose. A part and how far it came commit
-- together, so a part that is asked for again, by a second click or after a lost answer, is never sent twice.
create table webhook_resends (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^res_[0-9a-f]{32}$'),
  -- What was asked for, as text: the same id with another request is refused.
  request text not null check (length(request) <= 4000),
  -- After this event, or sequence, the next part begins; null: at the beginning.
  position text collate "C",
  -- Of a replay: the newest event when it began.
  up_to_sequence bigint,
  resent integer not null default 0 check (resent >= 0),
  made integer not null default 0 check (made >= 0),
  begun_at timestamptz not null,
  ended_at timestamptz,
  -- It ended at the most that one may be.
  limited boolean not null default false check (not limited or ended_at is not null),
  primary key (business_id, endpoint_id, id)
);
create index webhook_resends_begun on webhook_resends (begun_at);
