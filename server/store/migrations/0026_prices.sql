-- Prices in currencies: of intents and links, with the rate by which a price became an amount.

-- JSON texts, null together: the price with its currency, and the quote, which ends no sooner than the intent. A price that
-- could not be summed up is refused here, and not once it is paid.
alter table intents add column price text, add column quote text,
  add constraint intents_quote check (
    (price is null) = (quote is null) and (price is null or (
      (price::json ->> 'currency') is not null and (price::json ->> 'amount')::numeric > 0
      and expires_at <= (quote::json ->> 'until')::timestamptz))) not valid;
alter table payment_links add column price text,
  add constraint payment_links_price check (price is null or amount is null) not valid;

-- What one whole token was worth in a currency when its newest rate was made.
create table token_rates (
  asset text collate "C" not null,
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  rate numeric not null check (rate > 0),
  at timestamptz not null,
  primary key (asset)
);

-- The prices of payments by token, currency and day of their creation, in UTC. The trigger moves them with each payment.
create table price_days (
  business_id text collate "C" not null references businesses (id),
  environment environment not null,
  asset text collate "C" not null,
  currency text collate "C" not null,
  day date not null,
  price numeric not null,
  payments integer not null,
  primary key (business_id, environment, asset, currency, day)
) with (fillfactor = 70);

create function move_price_days() returns trigger language plpgsql as $$
declare
  priced json;
begin
  select i.price::json into priced from intents i
  where i.business_id = coalesce(new.business_id, old.business_id) and i.id = coalesce(new.intent_id, old.intent_id);
  if priced is null then
    return null;
  end if;
  insert into price_days as d (business_id, environment, asset, currency, day, price, payments)
  select m.business_id, m.environment, m.asset, priced ->> 'currency', (m.created_at at time zone 'UTC')::date,
    sum(m.sign * (priced ->> 'amount')::numeric), sum(m.sign)
  from (values
    (old.business_id, old.environment, old.asset, old.created_at, -1),
    (new.business_id, new.environment, new.asset, new.created_at, 1)
  ) m (business_id, environment, asset, created_at, sign)
  where m.business_id is not null
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (business_id, environment, asset, currency, day)
    do update set price = d.price + excluded.price, payments = d.payments + excluded.payments;
  return null;
end $$;
create trigger payments_priced after insert or delete on payments
  for each row execute function move_price_days();
create trigger payments_priced_moved after update of created_at on payments
  for each row when (old.created_at <> new.created_at) execute function move_price_days();
