-- Adds the lines of past value dates, up to `day`, to those of the date `0`, at most `most` of them: a hash of positions stays short.
-- Returns the number of lines that it has folded; as many as `most` means that there may be more.
local lines = redis.call('HGETALL', position)
local from, changed, sums = {}, {}, {}
for i = 1, #lines, 2 do
  local name, date, what = string.match(lines[i], '^([^|]*|)(%d+)(|%u%l?)$')
  if name and #from < tonumber(most) and date ~= '0' and date <= day then
    from[#from + 1] = lines[i]
    local field = name .. '0' .. what
    if not sums[field] then
      changed[#changed + 1] = field
      sums[field] = { position_parts(redis.call('HGET', position, field) or '0 0 0') }
    end
    for part, amount in ipairs({ position_parts(lines[i + 1]) }) do sums[field][part] = exact_sum(sums[field][part], amount) end
  end
end
if #from == 0 then return 0 end
local folded, last = unpack(redis.call('HMGET', position, 'folded', 'last'))
local written = { 'folded', folded and folded > day and folded or day }
if last then written[3], written[4] = 'last', redis.sha1hex(last .. day) end
for _, field in ipairs(changed) do
  written[#written + 1] = field
  written[#written + 1] = table.concat(sums[field], ' ')
end
redis.call('HSET', position, unpack(written))
redis.call('HDEL', position, unpack(from))
return #from
