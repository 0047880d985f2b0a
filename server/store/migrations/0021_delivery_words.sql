-- An attempt that is to be made says in columns what it is, when its turn comes, and how urgent it is.

create domain delivery_kind as text check (value in ('scheduled', 'resend', 'replay', 'test'));

alter table webhook_queue
  drop constraint webhook_queue_pkey,
  drop constraint webhook_queue_check1,
  drop constraint webhook_queue_check2;
drop index webhook_queue_due, webhook_queue_type, webhook_queue_answer, webhook_queue_error, webhook_queue_failed_answer,
  webhook_queue_answer_type, webhook_queue_error_type;

alter domain delivery_priority rename to delivery_priority_before;
-- `asked`: asked for by a person. `new`: never tried. `later`: to be tried again, or replayed.
create domain delivery_priority as text collate "C"
  constraint delivery_priority_check check (value in ('asked', 'new', 'later'));

-- `scheduled`: the delivery's own row, with all attempts of the schedule; its `resend` is empty. The others are rows beside
-- it, for one attempt each, under the id of what asked for them.
alter table webhook_queue
  add column kind delivery_kind not null default 'scheduled',
  -- Of several events resent in order: the attempt before has not ended, so this one has no due time.
  add column waits_for_turn boolean not null default false,
  alter column due_at drop not null,
  alter column priority type delivery_priority
    using case priority when 0 then 'asked' when 1 then 'new' else 'later' end;
update webhook_queue set
  kind = case when resend = 'test' then 'test' when priority = 'later' then 'replay' else 'resend' end,
  waits_for_turn = due_at = 'infinity',
  due_at = nullif(due_at, 'infinity')
where resend <> '';
alter table webhook_queue
  add constraint webhook_queue_kind check ((kind = 'scheduled') = (resend = '')),
  add constraint webhook_queue_test check ((kind = 'test') = (event_recorded_at is null) and (kind = 'test') = (body is not null)),
  add constraint webhook_queue_turn check (waits_for_turn = (due_at is null) and (kind = 'resend' or not waits_for_turn));
drop domain delivery_priority_before;

create index webhook_queue_due on webhook_queue (business_id, endpoint_id, priority, due_at) with (fillfactor = 70);
-- After the other: see where the table is made.
alter table webhook_queue add primary key (business_id, endpoint_id, event_id, resend);
create index webhook_queue_type on webhook_queue (business_id, endpoint_id, event_type, event_id)
  where kind = 'scheduled' and event_type <> 'payment_intent.created';
create index webhook_queue_answer on webhook_queue (business_id, endpoint_id, status_code, event_id)
  where kind = 'scheduled' and status_code is not null;
create index webhook_queue_error on webhook_queue (business_id, endpoint_id, error_class, event_id)
  where kind = 'scheduled' and error_class is not null;
create index webhook_queue_failed_answer on webhook_queue (business_id, endpoint_id, status_code, event_id)
  where kind = 'scheduled' and error_class is not null;
create index webhook_queue_answer_type on webhook_queue (business_id, endpoint_id, status_code, event_type, event_id)
  where kind = 'scheduled' and error_class is not null;
create index webhook_queue_error_type on webhook_queue (business_id, endpoint_id, error_class, event_type, event_id)
  where kind = 'scheduled' and error_class is not null;

-- Every delivery, pending or finished, and beside them the other rows of the queue, by their kind. The two parts have the same
-- types and no conditions of their own, so that a list walks the indexes of each in its order.
create view webhook_all_deliveries as
  select business_id, endpoint_id, event_id, kind::text as kind, event_type, intent_id, 'pending'::text as status, attempts::smallint as attempts,
    due_at, created_at, null::timestamptz as finished_at, status_code, error_class,
    -- Bounds of time select partitions by it.
    'infinity'::timestamptz as open_until
  from webhook_queue
  union all
  select business_id, endpoint_id, event_id, 'scheduled'::text, event_type, intent_id, status::text, attempts::smallint,
    null::timestamptz, created_at, finished_at, status_code, error_class,
    finished_at
  from webhook_deliveries;
