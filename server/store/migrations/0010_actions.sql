-- A sponsor also pays the network's fee of a buyer's decision on a payment, and nothing else.
alter table sponsorships
  add column action text,
  add constraint sponsorships_action check (action in ('dispute', 'release')),
  add constraint sponsorships_action_has_no_rents check (
    action is null or (record_lamports = 0 and vault_lamports = 0 and tombstone_lamports = 0));
