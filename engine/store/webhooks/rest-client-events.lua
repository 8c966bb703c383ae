-- Makes the deliveries of a client due in `next_ms`, or never where it is absent: 1. 0 when something has made them due since they were
-- taken until `taken_until`.
local known = redis.call('ZSCORE', due, client)
if not known or tonumber(known) ~= tonumber(taken_until) then return 0 end
if next_ms == '' then redis.call('ZREM', due, client) else redis.call('ZADD', due, later(server_now(), next_ms), client) end
return 1
