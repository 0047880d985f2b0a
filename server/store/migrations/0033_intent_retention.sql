-- Intents that nobody paid may be deleted once nothing is left of them (§10.17).

-- The rule but for the deployment's days: it ended unpaid 30 days ago, everything until then is read at `finalized`, and no
-- payment, event, sponsorship, fulfillment or duty to a buyer or member is left that names it. A payment that comes all the
-- same has the number of no intent, and is bound to none.
create function intent_is_over(i intents) returns boolean language sql stable as $$
  select i.status in ('expired', 'canceled')
    -- No binding was taken back, and no payment with other terms waits in the escrow.
    and i.generation = 1 and i.mismatch_count = 0
    and exists (
      select from chains c join clocks k using (environment)
      where c.environment = i.environment and i.expires_at < c.watermark - interval '30 days'
        and i.expires_at < now() + k.ahead - interval '30 days')
    and not exists (
      select from payments p where p.business_id = i.business_id and p.intent_id = i.id
        and hashtextextended(p.intent_id, 0) = hashtextextended(i.id, 0))
    and not exists (select from events e where e.business_id = i.business_id and e.intent_id = i.id)
    and not exists (select from sponsorships s where s.business_id = i.business_id and s.intent_id = i.id)
    and not exists (select from fulfillments f where f.business_id = i.business_id and f.intent_id = i.id)
    and not exists (select from buyer_addresses a where a.business_id = i.business_id and a.intent_id = i.id)
    and not exists (select from buyer_notices n where n.business_id = i.business_id and n.intent_id = i.id)
    and not exists (
      select from saved_recipients r
      where r.business_id = i.business_id and r.environment = i.environment and r.test_intent = i.id);
$$;

-- With the intent goes all that is its own, in the same transaction, whoever deletes it.
create function delete_with_intent() returns trigger language plpgsql as $$
begin
  if not intent_is_over(old) then
    raise exception 'The intent % is kept: it was paid, or what is kept names it.', old.id;
  end if;
  delete from payment_link_intents where business_id = old.business_id and intent_id = old.id;
  delete from checkout_terms where business_id = old.business_id and intent_id = old.id;
  delete from checkout_attempts where business_id = old.business_id and intent_id = old.id;
  delete from event_keys where business_id = old.business_id and key = any (array(
    select substr(sha256(convert_to(old.id || ' 1 payment_intent.' || ended, 'UTF8')), 1, 18)
    from unnest(array['expired', 'canceled']) ended));
  return old;
end $$;
create function delete_payment_id() returns trigger language plpgsql as $$
begin
  delete from payment_ids where payment_id = old.payment_id;
  return null;
end $$;
create trigger payment_ids_deleted after delete on intents
  for each row execute function delete_payment_id();
create trigger intents_deleted before delete on intents
  for each row execute function delete_with_intent();
