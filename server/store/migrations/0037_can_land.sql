-- Whether a node said of a sent attempt's transaction, when it was last asked, that it would land. What older processes write
-- counts as they meant it.
alter table checkout_attempts add column can_land boolean not null default true;
