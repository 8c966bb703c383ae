-- Changes the modes of ports, unless a program runs: returns the running programs, and changes nothing then.
local now = redis.call('TIME')[1] * 1000
local running = redis.call('ZRANGE', programs, '(' .. now, '+inf', 'BYSCORE', 'LIMIT', 0, 100)
if #running > 0 then return running end
redis.call('HLEN', modes)
for i = 1, #changes, 2 do redis.call('HSET', modes, changes[i], changes[i + 1]) end
return {}
