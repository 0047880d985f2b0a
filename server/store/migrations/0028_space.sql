-- What is kept for ever takes a third less room (decision 29). Processes of an older release must be stopped before this
-- runs: they write other columns. It locks what it changes; docs/how-to/upgrade.md says for how long.

-- The key of an event is hashed; nothing is read from it but whether it is there. The event of an intent's creation needs
-- none: the statement that records it inserts the intent.
create domain event_key as bytea check (length(value) = 18);
alter table event_keys rename to event_keys_before;
create table event_keys (
  business_id text collate "C" not null,
  key event_key not null
);
insert into event_keys (business_id, key)
  select business_id, substr(sha256(convert_to(object_id || ' ' || generation || ' ' || transition, 'UTF8')), 1, 18)
  from event_keys_before where transition <> 'payment_intent.created';
drop table event_keys_before;
alter table event_keys add primary key (business_id, key);

-- What a look-up only leads to, the row there says itself: an intent's id its environment, a payment its intent.
alter table payment_ids drop column environment;
alter table payment_addresses drop column environment, drop column intent_id;

-- Indexes that are no rule hold a hash of what is long. The columns are compared as well, so two texts of one hash cost a
-- row read in vain, and nothing else. What merchants choose is hashed apart from the tenant: nobody can make up a
-- reference that stands among another's.
create index payment_ids_of_intent on payment_ids (hashtextextended(intent_id, 0));
drop index payment_ids_intent;

drop index intents_listed;
create index intents_listed on intents (hashtextextended(business_id || environment, 0), list_position);
drop index intents_of_status;
create index intents_of_status on intents (hashtextextended(business_id || environment || status, 0), list_position)
  where status <> 'requires_payment';
drop index intents_of_reference;
create index intents_of_reference on intents
  (hashtextextended(business_id || environment, 0), hashtextextended(merchant_reference, 0), list_position);

drop index payments_of_intent;
create index payments_of_intent on payments (hashtextextended(intent_id, 0), recorded_sequence);
drop index payments_of_status;
create index payments_of_status on payments (hashtextextended(business_id || environment || status, 0), recorded_sequence);
