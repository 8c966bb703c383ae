-- Claims a FIX session for an engine: raises its epoch. Returns {epoch, next out, next in, created ms} as text; {engine} when another one
-- has it, which changes nothing.
-- KEYS: session. ARGV: engine, now ms (the session's beginning when it is new), an engine that is known to be gone or ''.
if redis.call('EXISTS', KEYS[1]) == 0 then
  -- Of a session that was forgotten once, engines may still hold an old epoch: none comes twice.
  redis.call('HSET', KEYS[1], 'epoch', string.format('%.0f', server_ms()), 'out', '1', 'in', '1', 'created', ARGV[2])
end
local holder = redis.call('HGET', KEYS[1], 'engine') or ''
if holder ~= '' and holder ~= ARGV[1] and holder ~= ARGV[3] then return {holder} end
redis.call('HINCRBY', KEYS[1], 'epoch', 1)
redis.call('HSET', KEYS[1], 'engine', ARGV[1])
return redis.call('HMGET', KEYS[1], 'epoch', 'out', 'in', 'created')
