-- What a buyer is shown of a business beside its name: where to get help, the refund policy, and the way back to the shop.
-- A policy is kept under its hash for good, since the terms of payments name it after the business has written another.

create table refund_policies (
  business_id text collate "C" not null references businesses (id),
  hash text collate "C" not null,
  body text not null check (length(body) between 1 and 20000),
  created_at timestamptz not null,
  primary key (business_id, hash),
  check (hash = encode(sha256(convert_to(body, 'UTF8')), 'hex'))
);

alter table businesses
  -- An e-mail address, or a page.
  add column support_contact text
    check (length(support_contact) <= 500 and (support_contact like 'https://%' or support_contact like '_%@_%')),
  add column refund_policy_hash text collate "C",
  -- With {intentId} and {merchantReference}.
  add column return_url text check (length(return_url) <= 2048 and return_url like 'https://_%'),
  -- Null until it is proven to be the business's own.
  add column domain text check (length(domain) <= 253 and domain = lower(domain)),
  add foreign key (id, refund_policy_hash) references refund_policies (business_id, hash);
