-- The clients of a shard, and of each of the others, that have something to deliver by the server's clock, `ahead_ms` from now at most:
-- those that wait longest first, each with the time since when, at most so many of each.
local now = server_now()
local function due_of(key)
  return redis.call('ZRANGE', key, '-inf', later(now, ahead_ms), 'BYSCORE', 'LIMIT', 0, most, 'WITHSCORES')
end
local found = { now, due_of(due) }
for i, key in ipairs(others) do found[i + 2] = due_of(key) end
return found
