-- The sweep takes unprocessed signatures in the order of their failed attempts and then of their slots: with an index in that
-- order a step reads its batch, and not the whole backlog to sort it.
create index chain_inbox_next on chain_inbox (environment, attempts, slot) where not processed;
