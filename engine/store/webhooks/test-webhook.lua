-- Appends a test event, which only this endpoint gets, and plans its delivery at once, whatever waits before it: its sequence. -1 when there is
-- no such endpoint, 0 where the client has no events, -2 where `open_max` of its deliveries are open.
if redis.call('EXISTS', webhook) == 0 then return -1 end
must_be('zset', deliveries, 'deliveries of an endpoint')
if redis.call('ZCARD', open) >= tonumber(open_max) then return -2 end
if not may_append_event(webhook) then return 0 end
append_event(webhook, 'test', id, step_now(), '{"webhook_id":"' .. id .. '"}')
local found = redis.call('XREVRANGE', events, '+', '-', 'COUNT', 1)
local sequence = string.match(found[1][1], '%d+$')
redis.call('ZADD', deliveries, sequence, sequence .. '|PENDING|test|' .. id .. '|0|')
redis.call('ZADD', open, server_now(), sequence .. '|' .. id)
trim_deliveries(deliveries, kept_max)
return tonumber(sequence)
