-- What the keeper has to do, when, and what became of its last try: in the books, so that several workers share the work,
-- and waits outlast a restart.

create domain keeper_tries as smallint check (value between 0 and 30);
create domain keeper_refusal as text check (length(value) between 1 and 300);

alter table payments
  -- Who paid for account and vault, where that was not the sender.
  add column rent_payer text,
  -- How often the keeper set out for the payment: each time its wait grows.
  add column keeper_tries keeper_tries not null default 0,
  add column keeper_waits_until timestamptz,
  -- Why the last try sent nothing.
  add column keeper_refusal keeper_refusal,
  -- The record is closed, or its rent is nobody's of the deployment.
  add column keeper_done boolean not null default false;
alter table payments
  -- When the keeper has something to do for it: a part that is bound has been due since; a dispute lapses; the protection
  -- ends; the record may be closed. Null: nothing. Times of day in UTC, since an interval of days depends on the zone.
  add column keeper_at timestamptz generated always as (
    case
      when status in ('released', 'refunded') then
        case when rent_payer is not null and not keeper_done then
          greatest((greatest(settled_at, refunded_at) at time zone 'UTC' + interval '90 days') at time zone 'UTC', keeper_waits_until)
        end
      when outcome is not null or refund_total > amount_refunded then greatest(created_at, keeper_waits_until)
      when status = 'disputed' then
        greatest((disputed_at at time zone 'UTC' + interval '90 days') at time zone 'UTC', keeper_waits_until)
      when settleable_event_sent then greatest(protection_deadline, keeper_waits_until)
    end) stored;

alter table unmatched_payments
  add column rent_payer text,
  add column keeper_tries keeper_tries not null default 0,
  add column keeper_waits_until timestamptz,
  add column keeper_refusal keeper_refusal,
  add column keeper_done boolean not null default false;
alter table unmatched_payments
  -- The same without events. A stranger's refund of an undecided payment leaves with its settlement: else he could have a
  -- fee paid for every unit.
  add column keeper_at timestamptz generated always as (
    case
      when status in ('released', 'refunded') then
        case when rent_payer is not null and not keeper_done then
          greatest((greatest(settled_at, refunded_at) at time zone 'UTC' + interval '90 days') at time zone 'UTC', keeper_waits_until)
        end
      when outcome is not null then greatest(created_at, keeper_waits_until)
      when status = 'disputed' then
        greatest((disputed_at at time zone 'UTC' + interval '90 days') at time zone 'UTC', keeper_waits_until)
      else greatest(protection_deadline, keeper_waits_until)
    end) stored;

create index payments_keeper on payments (business_id, environment, keeper_at) where keeper_at is not null;
-- Whether anything is due at all.
create index payments_keeper_due on payments (environment, keeper_at) where keeper_at is not null;
create index unmatched_payments_keeper on unmatched_payments (environment, keeper_at) where keeper_at is not null;
-- For the figure of what cannot be paid out now.
create index payments_refused on payments (environment) where keeper_refusal is not null and keeper_at is not null;
create index unmatched_payments_refused on unmatched_payments (environment) where keeper_refusal is not null and keeper_at is not null;
drop index payments_bound_parts;
drop index payments_unresolved;
drop index unmatched_payments_bound_parts;
drop index unmatched_payments_unresolved;
