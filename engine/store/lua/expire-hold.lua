-- The time of a hold is over: the session that asked for it is told. 1 when it has just expired, else 0.
-- KEYS: hold, open holds, due, outbox. ARGV: hold id, due entry.
local held = redis.call('HMGET', KEYS[1], 'status', 'expiry', 'owner')
if held[1] == 'open' and tonumber(step_now()) <= tonumber(held[2]) then return 0 end
if held[1] == 'open' then
  must_be('zset', KEYS[2], 'open holds')
  must_be('stream', KEYS[4], 'outbox of a session')
end
redis.call('ZREM', KEYS[3], ARGV[2])
if held[1] ~= 'open' then return 0 end
redis.call('HSET', KEYS[1], 'status', 'expired')
redis.call('ZREM', KEYS[2], held[3] .. '|' .. ARGV[1])
tell_session(KEYS[4], 'hold-expired', ARGV[1])
return 1
