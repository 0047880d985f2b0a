-- The domain that a business says is its own, and what the last look at it found. Buyers are shown one that was proven, and no other.

create table business_domains (
  business_id text collate "C" primary key references businesses (id),
  -- As DNS has it: ASCII in lower case.
  domain text not null check (length(domain) <= 253 and domain = lower(domain)),
  -- What a file or a record there has to say.
  token text not null,
  claimed_at timestamptz not null,
  proven_at timestamptz,
  -- Since when no look has found the proof, which was there before.
  failing_since timestamptz check (failing_since is null or proven_at is not null),
  checked_at timestamptz,
  -- What the last look missed, in a sentence.
  problem text check (length(problem) <= 1000),
  -- Null: only a person has it looked at again.
  next_check_at timestamptz,
  proven_domain text generated always as (case when proven_at is not null then domain end) stored,
  unique (business_id, proven_domain)
);
create index business_domains_due on business_domains (next_check_at) where next_check_at is not null;
create index business_domains_domain on business_domains (domain);

-- Nobody could prove one until now.
update businesses set domain = null where domain is not null;
alter table businesses
  add foreign key (id, domain) references business_domains (business_id, proven_domain);
