-- The slot at which a step of a payment (dispute, release, refund) was first seen while it was not final: a fork may take
-- it back. With it the payment counts as not final until its account says the same at `finalized`, from that slot on.
alter table payments add column changed_slot bigint;
create index payments_unfinal on payments (environment) where not finalized;
