-- Payments that people create: several at once from a file, and links that many buyers pay.

-- A file's intents are created once: the same rows, uploaded again within the intents' lifetime, lead to these.
create table intent_batches (
  business_id text collate "C" not null,
  environment environment not null,
  -- Of the terms of all rows, in their order.
  hash sha256 not null,
  intent_ids text[] not null check (cardinality(intent_ids) between 1 and 500),
  -- Time of the environment, as that of its intents.
  created_at timestamptz not null,
  primary key (business_id, environment, hash)
);

create domain link_title as text check (length(value) between 1 and 100);
create domain places_limit as integer check (value between 1 and 10000);

-- A link that many buyers pay, each by an intent of their own. Times are those of the environment.
create table payment_links (
  business_id text collate "C" not null references businesses (id),
  id text collate "C" not null,
  environment environment not null,
  title link_title not null,
  description intent_description,
  recipient text not null,
  asset text not null,
  -- Null: the buyer says how much.
  amount token_amount,
  protection_period protection_period not null,
  -- How many buyers may pay; null: any number.
  places_max places_limit,
  -- The number of intents that it made, for their references.
  intents_made integer not null default 0 check (intents_made >= 0),
  created_at timestamptz not null,
  expires_at whole_second,
  closed_at timestamptz,
  primary key (business_id, id),
  unique (business_id, id, places_max),
  check (expires_at > created_at)
);
-- A buyer's link brings the id alone.
create index payment_links_id on payment_links (id);
create index payment_links_listed on payment_links (business_id, environment, id);

-- The intents that links made. They are apart from the intents, so that creates, which are hot, write nothing more.
create table payment_link_intents (
  business_id text collate "C" not null,
  intent_id text collate "C" not null,
  link_id text collate "C" not null,
  primary key (business_id, intent_id),
  foreign key (business_id, link_id) references payment_links (business_id, id)
);
create index payment_link_intents_of_link on payment_link_intents (business_id, link_id, intent_id);

-- The places of a link with a limit. A slot is one place, so there are never more than the limit, whoever takes them. A wallet
-- has one. It is held for a while, and final once a payment has it.
create table payment_link_places (
  business_id text collate "C" not null,
  link_id text collate "C" not null,
  wallet text collate "C" not null,
  slot integer not null,
  places_max integer not null,
  intent_id text collate "C" not null,
  -- SHA-256 of the network that asked, in base64url; null: the payment came without asking.
  network text collate "C",
  -- Until then the transaction of the wallet can land.
  until timestamptz not null,
  -- The address of the payment that has it; null while it is held.
  payment text collate "C",
  -- A wallet holds a place unpaid for a limited time, however often it renews it (§13.21.7).
  held_since timestamptz not null default now(),
  primary key (business_id, link_id, wallet),
  foreign key (business_id, link_id, places_max) references payment_links (business_id, id, places_max),
  constraint payment_link_places_slot unique (business_id, link_id, slot),
  constraint payment_link_places_limit check (slot between 1 and places_max)
);
create index payment_link_places_payment on payment_link_places (business_id, payment) where payment is not null;
