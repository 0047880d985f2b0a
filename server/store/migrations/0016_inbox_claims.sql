-- Until when a worker has a signature for itself: others take the next ones meanwhile. Past it, the worker is taken for dead.
alter table chain_inbox add column leased_until timestamptz;
