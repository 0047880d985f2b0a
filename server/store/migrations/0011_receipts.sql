-- What the receipts of payments show, and how buyers find theirs.

-- As of payments; null until the account is read again, and of a payment that was closed before it was ever read.
alter table unmatched_payments
  add column arbiter text,
  add column token_program text,
  add column decimals smallint,
  add column terms_hash text;

-- True once a tombstone stands at the address: the deposit of the record went back.
alter table payments add column record_closed boolean not null default false;
alter table unmatched_payments add column record_closed boolean not null default false;
update unmatched_payments set record_closed = true where reason = 'closed';

-- A wallet's own payments, newest first. Only its own signature adds to them.
create index payments_of_sender on payments (hashtextextended(sender, 0), created_at);
create index unmatched_payments_of_sender on unmatched_payments (hashtextextended(sender, 0), created_at) where sender is not null;
create index unmatched_payments_signature on unmatched_payments (hashtextextended(signature, 0)) where signature is not null;
-- A receipt of a payment that a fork removed brings the address alone.
create index reverted_payments_address on reverted_payments (address);
