-- One worker at a time delivers to an endpoint: the one that leases it. So the limit of parallel deliveries is its own number.

-- The workers that deliver. A row that is not renewed until `alive_until` is deleted, and its endpoints are free.
create table webhook_workers (
  id uuid primary key,
  alive_since timestamptz not null default now(),
  alive_until timestamptz not null,
  -- It takes no further endpoints and gives up its own.
  stopping boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

create table webhook_leases (
  business_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  -- Null: any worker may take the endpoint.
  leased_by uuid references webhook_workers (id) on delete set null,
  concurrency_limit concurrency_limit not null default 4,
  primary key (business_id, endpoint_id)
) with (fillfactor = 70);
create index webhook_leases_leased_by on webhook_leases (leased_by);

insert into webhook_leases (business_id, endpoint_id, concurrency_limit)
select business_id, endpoint_id, concurrency_limit from webhook_permits;
drop table webhook_permits;
drop domain success_streak;
