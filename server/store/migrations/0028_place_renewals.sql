-- A wallet holds a place of a payment link unpaid for a limited time, however often it renews it (§13.21.7).
alter table payment_link_places add column held_since timestamptz not null default now();
