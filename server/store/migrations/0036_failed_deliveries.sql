-- Deliveries whose last attempt failed, by what failed and of which type. A delivery that succeeds touches none of these.
create index webhook_queue_failed_answer on webhook_queue (business_id, endpoint_id, status_code, event_id)
  where resend = '' and error_class is not null;
create index webhook_queue_answer_type on webhook_queue (business_id, endpoint_id, status_code, event_type, event_id)
  where resend = '' and error_class is not null;
create index webhook_queue_error_type on webhook_queue (business_id, endpoint_id, error_class, event_type, event_id)
  where resend = '' and error_class is not null;
create index webhook_deliveries_failed_answer on webhook_deliveries (business_id, endpoint_id, status_code, event_id)
  where error_class is not null;
create index webhook_deliveries_answer_type on webhook_deliveries (business_id, endpoint_id, status_code, event_type, event_id)
  where error_class is not null;
create index webhook_deliveries_error_type on webhook_deliveries (business_id, endpoint_id, error_class, event_type, event_id)
  where error_class is not null;
