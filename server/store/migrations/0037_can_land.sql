-- True if a node said of a sent attempt's transaction, when it was last asked, that it would land. Rows that older processes
-- write count as they meant them.
alter table checkout_attempts add column can_land boolean not null default true;
