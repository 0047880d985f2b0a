-- What a key may do: everything, or only read (§5.10). Keys of before may do everything.
alter table api_keys add column scope text not null default 'full' check (scope in ('full', 'read'));
