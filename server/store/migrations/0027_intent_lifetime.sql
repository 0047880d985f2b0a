-- How long a business's own intents can be paid; null: as long as the deployment says. The bounds are those of the deployment's setting.

alter table businesses
  add column intent_lifetime_minutes integer check (intent_lifetime_minutes between 15 and 10080);
