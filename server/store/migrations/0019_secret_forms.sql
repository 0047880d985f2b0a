-- Which form the signing secret of an endpoint has: `standard` secrets sign the headers of Standard Webhooks too (§6.8).
alter table webhook_endpoints add column secret_form text not null default 'opaque' check (secret_form in ('opaque', 'standard'));
