-- Staff list payments by filter, newest first. A row of payments changes a few times in its life, so its indexes cost little;
-- creates write none of them.

-- The beginning of a reference finds payments. Bytes are compared, since only then are the texts with one beginning neighbours.
create index payments_of_reference on payments (business_id, environment, merchant_reference collate "C", recorded_sequence);
create index payments_of_tenant_sender on payments (hashtextextended(business_id || environment || sender, 0), recorded_sequence);
-- It also lists the tokens that a business was paid in.
create index payments_of_asset on payments (business_id, environment, asset, recorded_sequence);
create index payments_of_amount on payments (business_id, environment, amount, recorded_sequence);
create index payments_created on payments (business_id, environment, created_at, recorded_sequence);
create index payments_ever_disputed on payments (business_id, environment, recorded_sequence) where disputed_at is not null;
