-- Mints are read again when the last look is a day old: the oldest come first.
create index known_assets_outdated on known_assets (environment, read_at) where is_mint;
