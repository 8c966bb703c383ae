-- Plans the deliveries of the events behind the endpoint's cursor, `from`, up to `to`: 1. 0 when the cursor has moved, or the endpoint is
-- removed, or inactive where there are any. `missed`: so many events of them are not kept any more. `planned` has for each delivery its sequence, its record
-- and its resource. Beyond `kept_max` records the oldest that have ended are dropped.
local known = redis.call('HMGET', webhook, 'cursor', 'inactive')
if known[1] ~= from or (known[2] ~= '' and #planned > 0) then return 0 end
must_be('zset', deliveries, 'deliveries of an endpoint')
must_be('zset', open, 'open deliveries of an endpoint')
redis.call('HSET', webhook, 'cursor', to)
if missed ~= '' then redis.call('HINCRBY', webhook, 'missed', missed) end
local now = server_now()
for i = 1, #planned, 3 do
  redis.call('ZADD', deliveries, planned[i], planned[i + 1])
  redis.call('ZADD', open, now, planned[i] .. '|' .. planned[i + 2])
end
trim_deliveries(deliveries, kept_max)
return 1
