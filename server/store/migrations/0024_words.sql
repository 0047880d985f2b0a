-- One word for each thing.

-- Messages to a mailbox are emails.
alter table dispute_letters rename to dispute_emails;
alter table arbiter_letters rename to arbiter_emails;

-- A payment link has seats, by their number.
alter domain places_limit rename to seats_limit;
alter table payment_links rename column places_max to seats_max;
alter table payment_link_places rename to payment_link_seats;
alter table payment_link_seats rename column places_max to seats_max;
alter table payment_link_seats rename column slot to seat;
alter index payment_link_places_payment rename to payment_link_seats_payment;
alter table payment_link_seats rename constraint payment_link_places_slot to payment_link_seats_seat;

-- What a person writes is a text.
alter domain words_of_side rename to texts_of_side;
alter domain words_of_day rename to texts_of_day;

-- The argument about a payment is a dispute.
alter domain questions_of_case rename to questions_of_dispute;
alter domain erased_part drop constraint erased_part_check;
update dispute_erasures set part = 'dispute' where part = 'case';
alter domain erased_part add constraint erased_part_check check (value in ('dispute', 'statement', 'file', 'reasons'));

-- Constraints whose names the database made from those of before, or that name them.
do $$
declare
  one record;
begin
  for one in
    select conrelid, contypid, conname, replace(replace(replace(replace(replace(replace(replace(replace(conname, 'dispute_letters', 'dispute_emails'), 'arbiter_letters', 'arbiter_emails'), 'payment_link_places', 'payment_link_seats'), 'places_max', 'seats_max'), 'places_limit', 'seats_limit'), 'words_of_side', 'texts_of_side'), 'words_of_day', 'texts_of_day'), 'questions_of_case', 'questions_of_dispute') as renamed
    from pg_constraint
    where connamespace = 'public'::regnamespace and conname ~ 'dispute_letters|arbiter_letters|payment_link_places|places_max|places_limit|words_of_side|words_of_day|questions_of_case'
  loop
    if one.conrelid <> 0 then
      execute format('alter table %s rename constraint %I to %I', one.conrelid::regclass, one.conname, one.renamed);
    else
      execute format('alter domain %s rename constraint %I to %I', one.contypid::regtype, one.conname, one.renamed);
    end if;
  end loop;
end $$;
