-- When the database was last restored from a copy, as this environment's clock had it; null: never.
alter table event_counters add restored_at timestamptz;
