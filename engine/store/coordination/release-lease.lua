-- Releases a lease that the engine still holds: 1, else 0.
local holding = redis.call('GET', lease)
if not holding or string.sub(holding, 1, #engine + 1) ~= engine .. ' ' then return 0 end
redis.call('DEL', lease)
return 1
