-- Addresses of buyers of disputes, encrypted as those of orders are. `email` has those of before, until the service has
-- encrypted them. Older processes do not find encrypted ones: stop all of them before.
alter table dispute_addresses
  add column sealed text collate "C",
  -- The hash that names the mailbox.
  add column mailbox sha256,
  drop constraint dispute_addresses_confirmed,
  add constraint dispute_addresses_confirmed
    check (confirmed_at is null or (coalesce(email, sealed) is not null and link_hash is not null)),
  add constraint dispute_addresses_sealed check ((sealed is null) = (mailbox is null) and num_nonnulls(email, sealed) < 2);
create index dispute_addresses_plain on dispute_addresses (business_id) where email is not null;

alter table dispute_links
  add column mailbox sha256,
  alter column email drop not null,
  add constraint dispute_links_address check (num_nonnulls(email, mailbox) = 1);
drop index dispute_links_email;
create index dispute_links_mailbox on dispute_links (mailbox, sent_at);
