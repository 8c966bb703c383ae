-- Expires a hold, and notifies the session that locked it. 1 when it has just expired, else 0.
local held = redis.call('HMGET', hold, 'status', 'expiry', 'owner')
if held[1] == 'open' and tonumber(step_now()) <= tonumber(held[2]) then return 0 end
if held[1] == 'open' then
  must_be('zset', open_holds, 'open holds')
  must_be('stream', outbox, 'outbox of a session')
end
redis.call('ZREM', due, due_entry)
if held[1] ~= 'open' then return 0 end
redis.call('HSET', hold, 'status', 'expired')
redis.call('ZREM', open_holds, held[3] .. '|' .. hold_id)
add_to_outbox(outbox, 'hold-expired', hold_id)
return 1
