-- Each list of disputes walks an index in its order, however many cases a business has.
create index disputes_status on disputes (business_id, environment, status, id);
create index disputes_intent on disputes (business_id, intent_id);
create index disputes_turn on disputes (business_id, environment, turn, id) where turn <> 'nobody';
create index disputes_open on disputes (business_id, environment, id) where turn <> 'nobody';
-- The time at which an open case is due.
create index disputes_due on disputes (business_id, environment, turn, (
  case status when 'talking' then answer_by when 'deciding' then coalesce(question_until, decide_by)
    when 'agreed' then next_at end), id) where turn <> 'nobody';
drop index disputes_turn_due;
