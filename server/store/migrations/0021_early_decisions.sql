-- An arbiter who decides before both sides have answered an open question says so.
alter table dispute_decisions add column early boolean not null default false;
