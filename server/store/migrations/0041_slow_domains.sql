-- True if the last check of a domain that a business claimed took so long that others had to wait. It stays with the
-- business, whatever it claims next.

alter table business_domains
  add column is_slow boolean not null default false;
