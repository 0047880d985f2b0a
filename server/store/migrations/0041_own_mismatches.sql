-- Payments that do not match an order, but pay its recipient: behind any number of those that strangers pay to themselves.
create index events_own_mismatches on events (business_id, environment, sequence)
  where type = 'payment_intent.payment_mismatch' and not (body::jsonb -> 'data' -> 'mismatch') ? 'recipient';
