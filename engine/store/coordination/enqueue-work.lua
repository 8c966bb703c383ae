-- Moves a rescheduled entry to the work stream, once, when it is due; or before, when its worker hands it back.
-- Returns 1, or 0 when its time has not come, or another process was faster.
if is_handed_back == '1' then
  if not redis.call('ZSCORE', due, due_entry) then return 0 end
elseif not is_due(due, due_entry, step_now()) then return 0 end
must_be('stream', work, 'stream of work')
redis.call('ZREM', due, due_entry)
if batch_id ~= '' then enqueue_work(work, 'client', client, 'batch', batch_id)
elseif payment_id == '' then enqueue_work(work, 'client', client, 'wake', '1')
else enqueue_work(work, 'client', client, 'payment', payment_id, 'step', step) end
return 1
