-- Offers that no buyer has signed no longer use up what sponsors give out, and each business has a share of it. Rows that
-- older processes write count as they meant them.
alter table sponsorships
  -- True if it is in the sums of its environment. An offer that the buyer signs first is there once they have.
  add column counted boolean not null default true,
  -- True if the sponsor signed first: only the chain shows that its buyer has signed, too.
  add column presigned boolean not null default false,
  add constraint sponsorships_counted check (counted or status = 'offered');
create index sponsorships_of_business on sponsorships (business_id, environment, created_at);
create index sponsorships_open_of_business on sponsorships (business_id, environment) where ended_at is null;
create index sponsorships_presigned on sponsorships (environment) where presigned and status = 'signed';

-- Uses of the checkout by one network in a minute, in all processes together. A crash loses them.
create unlogged table checkout_rates (
  name text collate "C" primary key,
  minute timestamptz not null,
  used integer not null
) with (fillfactor = 50);
