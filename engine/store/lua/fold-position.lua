-- Adds the lines of past value dates, up to `day`, to those of the date `0`, at most `most` of them: a hash of positions stays short.
-- Returns the number of lines that it has folded; as many as `most` means that there may be more.
local lines = redis.call('HGETALL', position)
local from, changed = {}, {}
for i = 1, #lines, 2 do
  local name, date, what = string.match(lines[i], '^([^|]*|)(%d+)(|%u%l?)$')
  if name and #from < tonumber(most) and date ~= '0' and date <= day then
    from[#from + 1] = lines[i]
    local received, given, margin = position_parts(lines[i + 1])
    add_to_position(position, changed, name .. '0' .. what, received, given, margin)
  end
end
if #from == 0 then return 0 end
local folded = redis.call('HGET', position, 'folded')
redis.call('HSET', position, 'folded', folded and folded > day and folded or day, unpack(changed))
redis.call('HDEL', position, unpack(from))
return #from
