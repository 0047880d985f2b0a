-- The finalized slot of the watermark: what merchants are shown of how far the chain is processed (§4.12).
alter table chains add column watermark_slot bigint;
