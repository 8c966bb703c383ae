-- Ends a lease that the engine ARGV[1] still holds: 1, else 0.
local holding = redis.call('GET', KEYS[1])
if not holding or string.sub(holding, 1, #ARGV[1] + 1) ~= ARGV[1] .. ' ' then return 0 end
redis.call('DEL', KEYS[1])
return 1
