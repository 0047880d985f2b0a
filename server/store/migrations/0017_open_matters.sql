-- Payments that need a person, for the home page: few, however many have needed one before.
create index payments_open_disputes on payments (business_id, environment, disputed_at)
  where status = 'disputed' and outcome is null;
create index payments_open_duplicates on payments (business_id, environment, protection_deadline)
  where role = 'duplicate' and status = 'protected' and outcome is null;
