-- Makes deliveries due again, their schedule from its beginning, as long as fewer than `open_max` are open. `replayed` has for each its
-- sequence, its new record and its resource; those that are pending already, or are not planned yet, stay as they are.
-- Returns {how many, sequence of the first that found no room or ''}.
local cursor = redis.call('HGET', webhook, 'cursor')
if not cursor then return { 0, '' } end
local due = slot_tag .. ':events-due'
must_be('zset', due, 'clients with events to deliver')
must_be('zset', deliveries, 'deliveries of an endpoint')
must_be('zset', open, 'open deliveries of an endpoint')
local now, count, full_at = server_now(), 0, ''
local room = tonumber(open_max) - redis.call('ZCARD', open)
for i = 1, #replayed, 3 do
  local sequence = replayed[i]
  local found = redis.call('ZRANGE', deliveries, sequence, sequence, 'BYSCORE')[1]
  if tonumber(sequence) <= tonumber(cursor) and not (found and string.find(found, '^%d+|PENDING|')) then
    if count >= room then
      full_at = sequence
      break
    end
    if found then redis.call('ZREM', deliveries, found) end
    redis.call('ZADD', deliveries, sequence, replayed[i + 1])
    redis.call('ZADD', open, now, sequence .. '|' .. replayed[i + 2])
    count = count + 1
  end
end
if count > 0 then redis.call('ZADD', due, 'LT', now, client) end
return { count, full_at }
