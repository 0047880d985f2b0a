-- What a refused request was answered, so that the log can say why. Requests from before have none.
alter table request_log add column answer text check (length(answer) <= 1000);

-- Staff find a payment by the transaction that made it.
create index payments_signature on payments (hashtextextended(signature, 0));
