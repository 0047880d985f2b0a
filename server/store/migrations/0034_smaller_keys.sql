-- Less is kept of an intent for ever, and written by its create.

-- The number of a payment on chain, and a link's id, lead to the intent itself.
create unique index intents_payment_id on intents (payment_id);
create index intents_id on intents (hashtextextended(id, 0));
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

-- A key is made of its object's id, which one business has. The rule needs no more.
alter table event_keys drop constraint event_keys_pkey;
alter table event_keys add primary key (key);
-- The same: an intent is of one business.
drop index payments_primary;
create unique index payments_primary on payments (intent_id) where role = 'primary';

-- As the indexes of sender and status: what is only looked up is a hash.
drop index payments_of_amount;
create index payments_of_amount on payments (hashtextextended(business_id || environment || amount::text, 0), recorded_sequence);
