-- Claims a FIX session for an engine: raises its epoch. Returns {epoch, next out, next in, created ms} as text; {engine} when another one
-- has it, which changes nothing.
if redis.call('EXISTS', session) == 0 then
  -- Engines may still hold an old epoch of a deleted session: no epoch is repeated.
  redis.call('HSET', session, 'epoch', string.format('%.0f', server_ms()), 'out', '1', 'in', '1', 'created', now_ms)
end
local holder = redis.call('HGET', session, 'engine') or ''
if holder ~= '' and holder ~= engine and holder ~= gone then return {holder} end
redis.call('HINCRBY', session, 'epoch', 1)
redis.call('HSET', session, 'engine', engine)
return redis.call('HMGET', session, 'epoch', 'out', 'in', 'created')
