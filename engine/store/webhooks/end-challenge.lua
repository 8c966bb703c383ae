-- Notes what came of a challenge to an endpoint's URL, in place of `before`: 1, or 0 where it was challenged anew, paused or removed
-- meanwhile. `delay_ms` is the time until the next one; '' where this one was answered, and the endpoint gets its events.
local known = redis.call('HMGET', webhook, 'challenge', 'inactive')
if known[1] ~= before or known[2] ~= 'PENDING' then return 0 end
local now = server_now()
if delay_ms ~= '' then
  redis.call('HSET', webhook, 'challenge', until_ms .. '|' .. later(now, delay_ms) .. '|' .. tries .. '|' .. attempts)
  return 1
end
local due = slot_tag .. ':events-due'
must_be('zset', due, 'clients with events to deliver')
redis.call('HSET', webhook, 'challenge', '', 'inactive', '', 'updated', step_now())
redis.call('ZADD', due, 'LT', now, client)
return 1
