-- Some uses of the checkout are limited by day as well (§13.21.3). Null: the count is of one minute.
alter table checkout_rates add column ends_at timestamptz;
