-- Less is kept of an intent for ever, and written by its create.

-- An intent's id begins with its business's tag, so the key needs no business beside it. The id in a link, and the number of a
-- payment on chain, lead to the intent itself.
alter table intents drop constraint intents_pkey;
alter table intents add primary key (id);
create unique index intents_payment_id on intents (payment_id);
drop trigger payment_ids_deleted on intents;
drop function delete_payment_id;
drop table payment_ids;

-- Processes of the version before read and write the table that was here.
create view payment_ids as select payment_id::bigint as payment_id, business_id, id as intent_id from intents;
create function skip_payment_id() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger payment_ids_skipped instead of insert on payment_ids
  for each row execute function skip_payment_id();

-- A key is made of its object's id, which is of one business.
alter table event_keys drop constraint event_keys_pkey;
alter table event_keys add primary key (key);
-- So is an intent.
drop index payments_primary;
create unique index payments_primary on payments (intent_id) where role = 'primary';

-- The lists of staff: by token, amount, time and beginning of a reference, among the payments of one business. What merchants
-- choose is apart from the hash of the tenant.
drop index payments_of_asset, payments_of_amount, payments_created, payments_of_reference;
-- It also lists the tokens that a business was paid in.
create index payments_of_asset on payments (hashtextextended(business_id || environment, 0), asset, recorded_sequence);
create index payments_of_amount on payments (hashtextextended(business_id || environment, 0), amount, recorded_sequence);
create index payments_created on payments (hashtextextended(business_id || environment, 0), created_at, recorded_sequence);
create index payments_of_reference on payments
  (hashtextextended(business_id || environment, 0), merchant_reference collate "C", recorded_sequence);
