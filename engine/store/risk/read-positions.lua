-- The positions of a shard and of these clients of it, by their keys, at one moment.
local found = { redis.call('HGETALL', position) }
for i, key in ipairs(clients) do found[i + 1] = redis.call('HGETALL', key) end
return found
