-- Offers that no buyer has signed no longer use up what sponsors give out, and each business has a share of it. What older
-- processes write counts as they meant it.
alter table sponsorships
  -- Whether it is in the sums of its environment: what the buyer signs first is there once they have.
  add column counted boolean not null default true,
  -- Whether the sponsor signed first: only the chain shows that its buyer has signed, too.
  add column presigned boolean not null default false,
  add constraint sponsorships_counted check (counted or status = 'offered');
create index sponsorships_of_business on sponsorships (business_id, environment, created_at);
create index sponsorships_open_of_business on sponsorships (business_id, environment) where ended_at is null;
create index sponsorships_presigned on sponsorships (environment) where presigned and status = 'signed';

-- What one network does at the checkout in a minute, in all processes together. Lost in a crash.
create unlogged table checkout_rates (
  name text collate "C" primary key,
  minute timestamptz not null,
  used integer not null
) with (fillfactor = 50);
