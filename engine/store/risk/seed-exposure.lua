-- Makes the exposure of a client from values of its position, and of that of its sub-clients, unless one has changed since it was read: 1, else 0.
-- `read` is the JSON of the fields and values of both as read, `values` are fields of the exposure and their values.
must_be('hash', exposure, 'exposure')
for at, key in ipairs({ position, sub_position }) do
  local found, known = redis.call('HGETALL', key), cjson.decode(read)[at]
  if #found ~= #known then return 0 end
  local is = {}
  for i = 1, #found, 2 do is[found[i]] = found[i + 1] end
  for i = 1, #known, 2 do
    if is[known[i]] ~= known[i + 1] then return 0 end
  end
end
redis.call('DEL', exposure)
for i = 1, #values, 2 do redis.call('HSET', exposure, values[i], values[i + 1]) end
redis.call('PEXPIRE', exposure, kept_ms)
return 1
