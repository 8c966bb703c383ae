-- Counts a fault of somebody, over all processes. So many within the window close him, from the last of them on.
-- KEYS: the record. ARGV: 1 most, 2 window ms, 3 closed for ms, 4 now (epoch ms).
-- Returns the milliseconds for which he is closed; 0: he is not.
local most, window, closed, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'count', 'since')
local count, since = tonumber(kept[1] or '0'), tonumber(kept[2] or '0')
if now - since >= (count >= most and closed or window) then
  count, since = 0, now
end
count = count + 1
if count == most then since = now end
redis.call('HSET', KEYS[1], 'count', string.format('%.0f', count), 'since', string.format('%.0f', since))
redis.call('PEXPIRE', KEYS[1], math.max(window, closed))
return count >= most and math.max(0, since + closed - now) or 0
