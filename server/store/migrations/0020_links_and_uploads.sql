-- The links that confirm an address (§16.8), by the session that asked and by the address, so that neither the thief of one
-- browser's cookie nor a row of addresses uses up or floods what is another's.
create table dispute_links (
  business_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  dispute_id text collate "C" not null,
  session_id text collate "C" not null,
  email text not null check (length(email) <= 254),
  sent_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, dispute_id) references disputes (business_id, id) on delete cascade
);
create index dispute_links_session on dispute_links (business_id, dispute_id, session_id, sent_at);
create index dispute_links_email on dispute_links (lower(email), sent_at);
create index dispute_links_sent_at on dispute_links (sent_at);

drop index dispute_addresses_email;
-- A session older than the newest that entered an address changes it only by a recent proof.
alter table dispute_addresses drop column day, drop column links_of_day,
  add column session_created_at timestamptz not null default '-infinity';

-- An announced file ends with the session that announced it, of the buyer or of a member; null: a key did.
alter table dispute_uploads add column session_id text collate "C";
