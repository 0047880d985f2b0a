-- Whose part could not leave, beside the reason in keeper_refusal.
alter table payments add column keeper_refused_side text check (keeper_refused_side in ('sender', 'recipient'));
alter table unmatched_payments add column keeper_refused_side text check (keeper_refused_side in ('sender', 'recipient'));

-- All that came to a business's recipients without an order, newest first.
create index unmatched_payments_came on unmatched_payments (environment, recipient, created_at) where recipient is not null;
-- Payments that went back, with a value or without.
create index fiat_entries_refunds on fiat_entries (business_id, environment, occurred_at) where kind = 'refund' and reversed_at is null;
