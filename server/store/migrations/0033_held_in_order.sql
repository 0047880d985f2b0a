-- When the endpoint was last enabled: what was held until then is sent in the order of its events.
alter table webhook_endpoints add column enabled_at timestamptz;
