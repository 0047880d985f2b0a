-- The slot at which a step of a payment (dispute, release, refund) was first seen while it was not final: a fork may take
-- it back. With it the payment counts as not final until its account says the same at `finalized`, from that slot on.
alter table payments add column changed_slot bigint;
drop index payments_unfinalized;
create index payments_unfinalized on payments (environment, greatest(coalesce(created_slot, seen_slot), changed_slot)) where not finalized;
