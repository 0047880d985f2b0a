-- The language of buyers' pages, as a BCP 47 tag: of an intent, of a link for its intents, and by default of a business.
-- Null: the buyer's own.
alter table intents add column locale text collate "C",
  add constraint intents_locale check (locale ~ '^[A-Za-z0-9-]{2,35}$') not valid;
alter table payment_links add column locale text collate "C",
  add constraint payment_links_locale check (locale ~ '^[A-Za-z0-9-]{2,35}$') not valid;
alter table businesses add column locale text collate "C" check (locale ~ '^[A-Za-z0-9-]{2,35}$');
