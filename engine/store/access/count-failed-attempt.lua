-- Counts a failure of one key or address, over all processes. `most` failures within the window lock it, for a time from the last of them.
-- Returns the milliseconds until the lock ends; 0: not locked.
most, window_ms, closed_ms, now_ms = tonumber(most), tonumber(window_ms), tonumber(closed_ms), tonumber(now_ms)
local kept = redis.call('HMGET', record, 'count', 'since')
local count, since = tonumber(kept[1] or '0'), tonumber(kept[2] or '0')
if now_ms - since >= (count >= most and closed_ms or window_ms) then
  count, since = 0, now_ms
end
count = count + 1
if count == most then since = now_ms end
redis.call('HSET', record, 'count', string.format('%.0f', count), 'since', string.format('%.0f', since))
redis.call('PEXPIRE', record, math.max(window_ms, closed_ms))
return count >= most and math.max(0, since + closed_ms - now_ms) or 0
