-- Changes modes that this store keeps, unless a program runs: returns those that do, and changes nothing then.
-- KEYS: modes, programs. ARGV: port and mode, for each that changes.
local now = redis.call('TIME')[1] * 1000
local running = redis.call('ZRANGE', KEYS[2], '(' .. now, '+inf', 'BYSCORE', 'LIMIT', 0, 100)
if #running > 0 then return running end
redis.call('HLEN', KEYS[1])
for i = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
return {}
