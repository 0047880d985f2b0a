-- One word for each thing.

-- Messages to a mailbox are emails.
alter table dispute_letters rename to dispute_emails;
alter table arbiter_letters rename to arbiter_emails;

-- Constraints whose names the database made from those of before, or that name them.
do $$
declare
  one record;
begin
  for one in
    select conrelid, contypid, conname, replace(replace(conname, 'dispute_letters', 'dispute_emails'), 'arbiter_letters', 'arbiter_emails') as renamed
    from pg_constraint
    where connamespace = 'public'::regnamespace and conname ~ 'dispute_letters|arbiter_letters'
  loop
    if one.conrelid <> 0 then
      execute format('alter table %s rename constraint %I to %I', one.conrelid::regclass, one.conname, one.renamed);
    else
      execute format('alter domain %s rename constraint %I to %I', one.contypid::regtype, one.conname, one.renamed);
    end if;
  end loop;
end $$;
