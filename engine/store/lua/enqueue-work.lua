-- Moves a rescheduled entry that is due to the work stream, once.
-- Returns 1, or 0 when its time has not come, or another process was faster.
if not is_due(due, due_entry, step_now()) then return 0 end
must_be('stream', work, 'stream of work')
redis.call('ZREM', due, due_entry)
if payment_id == '' then enqueue_work(work, 'client', client, 'wake', '1')
else enqueue_work(work, 'client', client, 'payment', payment_id, 'step', step) end
return 1
