-- What lists and loops need so that a page, or a step, costs the same among ten million rows as among ten thousand.
-- A create touches none of these, and one less than before.

-- Lists by status. Unpaid intents are the newest of a business: those are found by id.
create index intents_of_status on intents (business_id, environment, status, id) where status <> 'requires_payment';

create index payments_of_status on payments (business_id, environment, status, recorded_sequence);
create index payments_late on payments (business_id, environment, recorded_sequence) where late_reason is not null;
create index payments_duplicate on payments (business_id, environment, recorded_sequence) where role = 'duplicate';
create index payments_settleable on payments (business_id, environment, recorded_sequence)
  where status = 'protected' and settleable_told;

-- Bindings that are not final yet, oldest first: a few seconds' worth among all that are protected.
create index payments_unfinalized on payments (environment, coalesce(created_slot, seen_slot)) where not finalized;
-- Due payments nobody was told of: few. Those that were told stay due for as long as nobody settles them.
create index payments_untold on payments (environment, protection_deadline) where status = 'protected' and not settleable_told;
drop index payments_due;
create index payments_due on payments (environment, protection_deadline) where status = 'protected' and settleable_told;

-- Most events are of creations, and whoever asks for those finds them without an index.
create index events_of_type on events (business_id, environment, type, sequence) where type <> 'payment_intent.created';
drop index events_of_payment;
create index events_of_payment on events (business_id, payment_address, sequence) where payment_address is not null;

create index webhook_deliveries_abandoned on webhook_deliveries (business_id, endpoint_id, event_id) where status = 'abandoned';
