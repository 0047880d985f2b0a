-- Intents are listed in the order of the sequences of their payment_intent.created events, so that none ever appears behind
-- a reader's cursor. `list_position` is in that order: the tenant's last sequence before the statement that made the
-- intent, times 1,024, plus its ordinal in that statement. Older rows are numbered in the order of their ids; there was
-- an event for each, so they come before all that follow. Processes of an older release must be stopped before this runs:
-- they write no position.
alter table intents add column list_position bigint;
update intents i set list_position = n.position
from (select business_id, id, row_number() over (partition by business_id, environment order by id) as position from intents) n
where i.business_id = n.business_id and i.id = n.id;
alter table intents alter column list_position set not null;

create index intents_listed on intents (business_id, environment, list_position);
drop index intents_reference;
create index intents_of_reference on intents (business_id, environment, merchant_reference, list_position);
drop index intents_of_status;
create index intents_of_status on intents (business_id, environment, status, list_position) where status <> 'requires_payment';
