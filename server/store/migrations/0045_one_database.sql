-- A deployment has one database (decision 37). People and cases are in it, so a trigger joins them again.

do $$
declare found text := (select string_agg(name, ', ' order by name) from (
  select 'cell_' || number as name from cells union select nspname from pg_namespace where nspname ~ '^cell_[0-9]+$') as named);
begin
  if found is not null then
    raise exception 'The database has more than one cell (%), and this version serves only databases with one.', found;
  end if;
end $$;
drop table cells;

create function end_holds() returns trigger language plpgsql as $$
begin
  update dispute_holders h set ended_at = date_trunc('milliseconds', clock_timestamp()) + c.ahead
    from disputes d join clocks c on c.environment = d.environment
    where h.user_id = new.id and h.ended_at is null and d.business_id = h.business_id and d.id = h.dispute_id;
  return null;
end $$;
create trigger users_no_arbiter after update of is_arbiter on users
  for each row when (old.is_arbiter and not new.is_arbiter) execute function end_holds();
update dispute_holders h set ended_at = date_trunc('milliseconds', clock_timestamp()) + c.ahead
  from disputes d join clocks c on c.environment = d.environment
  where h.ended_at is null and d.business_id = h.business_id and d.id = h.dispute_id
    and not exists (select from users u where u.id = h.user_id and u.is_arbiter);
