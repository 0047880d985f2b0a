-- Emails that wait to be sent. A row is written in the transaction of the change that it reports, and deleted once the mail
-- server took it. It holds the facts of its kind, and no secret.
create table emails (
  id bigint generated always as identity primary key,
  kind text collate "C" not null check (kind in (
    'password_link', 'invitation', 'account_change', 'business_change', 'recipient_added', 'saved_only_ending', 'address_link',
    'member_news', 'buyer_news', 'arbiter_warning')),
  -- What caused it: a network, a business, a user or an address.
  source text collate "C" not null check (length(source) between 1 and 300),
  recipient text not null check (length(recipient) between 3 and 254),
  facts text not null check (length(facts) <= 1000000),
  created_at timestamptz not null default now(),
  -- Due emails are sent in this order. It is later where many of the source or of the kind wait.
  ranked_at timestamptz not null,
  due_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Attempts that failed.
  attempts integer not null default 0 check (attempts >= 0),
  lease_token uuid,
  leased_until timestamptz,
  constraint emails_lease check ((lease_token is null) = (leased_until is null))
);
create index emails_order on emails (ranked_at, id);
create index emails_source on emails (kind, source);
