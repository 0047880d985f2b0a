-- The failed requests of a key or about an object, which are few among all of theirs. A request that succeeds touches none.
create index request_log_key_failed on request_log (business_id, environment, key_id, id) where error_code is not null;
create index request_log_key_error on request_log (business_id, environment, key_id, error_code, id)
  where error_code is not null;
create index request_log_object_failed on request_log (business_id, environment, object_id, id)
  where object_id is not null and error_code is not null;
