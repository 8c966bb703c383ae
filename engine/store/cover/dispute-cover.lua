-- Marks a cover order as disputed, once for each report: its provider says otherwise than what is booked. It is open until the operator
-- resolves it, beside an order of its pair that may be open.
-- Returns 'disputed', 'known': the report has disputed it before, or 'status': it was never sent.
local now = step_now()
local status = redis.call('HGET', cover, 'status')
if not status or status == 'suggested' or status == 'planned' or status == 'withdrawn' then return 'status' end
if redis.call('HEXISTS', cover, 'dispute:' .. exec_id) == 1 then return 'known' end
must_be('hash', open_covers, 'open cover orders')
if redis.call('HGET', open_covers, pair) == id then redis.call('HDEL', open_covers, pair) end
redis.call('HSET', open_covers, id, id)
redis.call('HSET', cover, 'status', 'disputed', 'reason', reason, 'at', now, 'dispute:' .. exec_id, reason)
return 'disputed'
