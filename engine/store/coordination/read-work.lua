-- Number of entries of a shard's work, and the oldest of them or ''; the same of each of the others.
local function length_of(key)
  local length = redis.call('XLEN', key)
  return { length, length > 0 and redis.call('XRANGE', key, '-', '+', 'COUNT', 1)[1][1] or '' }
end
local found = { length_of(work) }
for i, key in ipairs(others) do
  found[i + 1] = length_of(key)
end
return found
