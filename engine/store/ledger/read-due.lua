-- What is due in a shard, and in each of the others; oldest first, at most so many of each.
local function due_of(key)
  return redis.call('ZRANGE', key, '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, most)
end
local found = { due_of(due) }
for i, key in ipairs(others) do
  found[i + 1] = due_of(key)
end
return found
