-- Makes deliveries due again, their schedule from its beginning: how many. `replayed` has for each its sequence, its new record and its
-- resource; those that are pending already, or are not planned yet, stay as they are. -1 when there is no such endpoint.
local cursor = redis.call('HGET', webhook, 'cursor')
if not cursor then return -1 end
local due = slot_tag .. ':events-due'
must_be('zset', due, 'clients with events to deliver')
must_be('zset', deliveries, 'deliveries of an endpoint')
must_be('zset', open, 'open deliveries of an endpoint')
local now, count = server_now(), 0
for i = 1, #replayed, 3 do
  local sequence = replayed[i]
  local found = redis.call('ZRANGE', deliveries, sequence, sequence, 'BYSCORE')[1]
  if tonumber(sequence) <= tonumber(cursor) and not (found and string.find(found, '^%d+|PENDING|')) then
    if found then redis.call('ZREM', deliveries, found) end
    redis.call('ZADD', deliveries, sequence, replayed[i + 1])
    redis.call('ZADD', open, now, sequence .. '|' .. replayed[i + 2])
    count = count + 1
  end
end
if count > 0 then redis.call('ZADD', due, 'LT', now, client) end
return count
