-- The relay claims what is due business by business, so that none waits for the flood of another.
create index checkout_attempts_due_by_business on checkout_attempts (environment, business_id, due_at)
  where kind = 'sent' and ended_at is null;
drop index checkout_attempts_due;
