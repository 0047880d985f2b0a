-- What a merchant says to the buyer of an intent, and where the buyer goes back to.

-- A domain with a rule would rewrite the table. The rules follow once the columns are there: no earlier row has a value.
create domain intent_description as text;
create domain intent_return_url as text collate "C";
alter table intents add column description intent_description, add column return_url intent_return_url;
alter domain intent_description add check (length(value) between 1 and 500) not valid;
alter domain intent_return_url add check (length(value) between 1 and 2048 and value ~ '^https?://') not valid;
