-- A fulfillment may be what a server that sells by x402 signed: a compact JWS of the delivery, which holds the signed offer.

alter table fulfillments
  add column delivery text check (length(delivery) between 1 and 8192),
  drop constraint fulfillments_some,
  add constraint fulfillments_some
    check (num_nonnulls(carrier, tracking_number, link, sent_at, delivered_at, delivery) > 0);
