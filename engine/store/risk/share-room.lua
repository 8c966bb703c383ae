-- Changes a shard's room under the house's limits, and reads it with the shard's position, at one moment. `term` is that of the risk role: a
-- role that begins sets it, and from then on one of before changes nothing. `deltas` are fields and amounts; room never falls below 0. What the
-- shard asks for is read once. Returns {'ended'}, {fields and values of the room, fields and values of the position}, or the room alone where
-- the position is the one that the caller knows, by its field `last`.
must_be('hash', room, 'room under limits')
must_be('hash', position, 'position')
if begins ~= '1' and redis.call('HGET', room, 'term') ~= term then return { 'ended' } end
local before = redis.call('HGETALL', room)
if begins == '1' or redis.call('HGET', room, 'base') ~= base then
  redis.call('DEL', room)
  redis.call('HSET', room, 'term', term, 'base', base)
end
for i = 1, #deltas, 2 do
  local left = tonumber(redis.call('HGET', room, deltas[i]) or '0') + tonumber(deltas[i + 1])
  redis.call('HSET', room, deltas[i], string.format('%.0f', math.max(0, left)))
end
local answer = redis.call('HGETALL', room)
for i = 1, #before, 2 do
  if string.sub(before[i], 1, 5) == 'want:' then
    redis.call('HDEL', room, before[i])
    answer[#answer + 1] = before[i]
    answer[#answer + 1] = before[i + 1]
  end
end
if known ~= '' and redis.call('HGET', position, 'last') == known then return { answer } end
return { answer, redis.call('HGETALL', position) }
