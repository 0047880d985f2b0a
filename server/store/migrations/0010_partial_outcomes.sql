-- Version 2 of the escrow program decides and pays apart: a recipient may give back a part, an arbiter may split, and a
-- decision binds before its parts leave. Books of version 1 cannot be carried over: this release reads none of the
-- accounts they describe, and would take unfinished payments for reverted ones.
do $$
begin
  if exists (select from payments) or exists (select from unmatched_payments) then
    raise exception 'This database holds payments of version 1 of the escrow program, which this release does not read. Use an empty database.';
  end if;
end $$;

create domain payment_outcome as text
  check (value in ('released_by_sender', 'settled', 'resolved', 'refunded_by_recipient', 'refunded_unresolved'));
create domain part_amount as numeric(20, 0) check (value between 0 and 18446744073709551615);

alter table payments
  add column outcome payment_outcome,
  -- What the sender has in the end, as bound so far, and what has left to either side.
  add column refund_total part_amount not null,
  add column amount_refunded part_amount not null,
  add column amount_released part_amount not null,
  add column arbiter text not null,
  add column terms_hash text,
  -- (status = 'released') = (settled_at is not null), and the same of refunds: a part may leave before the others.
  drop constraint payments_check,
  drop constraint payments_check1,
  add constraint payments_parts check (
    amount_refunded <= refund_total and refund_total <= amount and amount_released in (0, amount - refund_total)
    and (amount_refunded > 0) = (refunded_at is not null) and (amount_released > 0) = (settled_at is not null)
    and (amount_released = 0 or outcome is not null)),
  add constraint payments_paid_out check (
    case status
      when 'released' then amount_released > 0 and amount_released + amount_refunded = amount
      when 'refunded' then amount_refunded = amount and outcome is not null
      else amount_released + amount_refunded < amount
    end);
alter table unmatched_payments
  add column outcome payment_outcome,
  add column refund_total part_amount not null,
  add column amount_refunded part_amount not null,
  add column amount_released part_amount not null;

-- For the keeper: parts that are bound and have not left, and disputes that may lapse. Few at any time.
create index payments_bound_parts on payments (environment, checked_at)
  where status in ('protected', 'disputed') and (outcome is not null or refund_total > amount_refunded);
create index payments_unresolved on payments (environment, disputed_at) where status = 'disputed' and outcome is null;
create index unmatched_payments_bound_parts on unmatched_payments (environment, checked_at)
  where status in ('protected', 'disputed') and (outcome is not null or refund_total > amount_refunded);
create index unmatched_payments_unresolved on unmatched_payments (environment, disputed_at)
  where status = 'disputed' and outcome is null;
