-- Makes deliveries due again, their schedule from its beginning, as long as fewer than `open_max` are open. `replayed` has for each its
-- sequence, its new record and its resource; those that are pending already, or are not planned yet, stay as they are.
-- At most `budget` deliveries are replayed in `budget_ms` by a client, or by a platform with its sub-clients: `used` is `<until>|<how many>`.
-- Returns {how many, sequence of the first that found no room or '', how long the budget is used up, ms, or ''}.
local cursor = redis.call('HGET', webhook, 'cursor')
if not cursor then return { 0, '', '' } end
local due = slot_tag .. ':events-due'
must_be('zset', due, 'clients with events to deliver')
must_be('zset', deliveries, 'deliveries of an endpoint')
must_be('zset', open, 'open deliveries of an endpoint')
local now, count, full_at = server_now(), 0, ''
local room = tonumber(open_max) - redis.call('ZCARD', open)
local used_until, replayed_before = string.match(redis.call('GET', used) or '', '^(%d+)|(%d+)$')
if not used_until or tonumber(used_until) <= tonumber(now) then used_until, replayed_before = later(now, budget_ms), 0 end
local left = tonumber(budget) - tonumber(replayed_before)
local waits_ms = ''
for i = 1, #replayed, 3 do
  local sequence = replayed[i]
  local found = redis.call('ZRANGE', deliveries, sequence, sequence, 'BYSCORE')[1]
  if tonumber(sequence) <= tonumber(cursor) and not (found and string.find(found, '^%d+|PENDING|')) then
    if count >= math.min(room, left) then
      full_at = sequence
      if left < room then waits_ms = tonumber(used_until) - tonumber(now) end
      break
    end
    if found then redis.call('ZREM', deliveries, found) end
    redis.call('ZADD', deliveries, sequence, replayed[i + 1])
    redis.call('ZADD', open, now, sequence .. '|' .. replayed[i + 2])
    count = count + 1
  end
end
if count > 0 then
  redis.call('ZADD', due, 'LT', now, client)
  redis.call('SET', used, used_until .. '|' .. (replayed_before + count), 'PX', budget_ms)
end
return { count, full_at, waits_ms }
