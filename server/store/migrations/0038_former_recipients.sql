-- Wallets that a business had saved and removed: a member who decides disputes has no less of an interest in their payments.

create table former_recipients (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  address text collate "C" not null,
  primary key (business_id, environment, address)
);
insert into former_recipients (business_id, environment, address)
  select distinct business_id, environment, target from audit_log
  where action = 'recipient.removed' and environment is not null and target is not null;
create function keep_former_recipient() returns trigger language plpgsql as $$
begin
  insert into former_recipients (business_id, environment, address) values (old.business_id, old.environment, old.address)
  on conflict do nothing;
  return null;
end $$;
create trigger saved_recipients_removed after delete on saved_recipients
  for each row execute function keep_former_recipient();
