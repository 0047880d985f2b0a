-- A payment that was closed on chain before the service ever observed it: its tombstone says how it ended, and not on
-- which terms it was made.
alter table unmatched_payments
  alter column sender drop not null,
  alter column recipient drop not null,
  alter column asset drop not null,
  alter column protection_period drop not null,
  alter column created_at drop not null,
  alter column protection_deadline drop not null,
  drop constraint unmatched_payments_reason_check,
  add constraint unmatched_payments_reason_check check (reason in ('unknown_payment_id', 'terms_differ', 'closed')),
  add constraint unmatched_payments_terms check (
    case reason
      when 'closed' then status in ('released', 'refunded') and outcome is not null
      else num_nulls(sender, recipient, asset, protection_period, created_at, protection_deadline) = 0
    end);

-- When a read at `finalized` last contradicted a payment, by real time: such payments are read apart from the others, in turn.
alter table payments add column contradicted_at timestamptz;
update payments set contradicted_at = suspected_at where not finalized;
drop index payments_unfinalized;
create index payments_unfinalized on payments (environment, greatest(coalesce(created_slot, observed_slot), changed_slot))
  where not finalized and contradicted_at is null;
create index payments_contradicted on payments (environment, contradicted_at)
  where not finalized and contradicted_at is not null;
