-- Notes what came of an attempt to deliver: `after` is the delivery's record in place of `before`. 1; 2 when the endpoint is disabled by it,
-- which is an event for the client's other endpoints; 0 when the delivery was changed meanwhile, or the endpoint removed. `delay_ms` is
-- the time until the next attempt, '' where there is none. Where it has failed nothing is sent to the endpoint for `rest_ms`; attempts that began
-- before the last of them failed count as one with it. `outcome` is `ok`, `failed`, `gone` (410: never again) or `dropped` (the event
-- is not kept any more: nothing was sent).
local known = redis.call('HMGET', webhook, 'version', 'inactive', 'failingSince', 'failures', 'restsUntil')
if not known[1] or not redis.call('ZSCORE', deliveries, before) then return 0 end
must_be('zset', open, 'open deliveries of an endpoint')
local may_end = outcome == 'failed' or outcome == 'gone'
if may_end then may_append_event(webhook) end
if outcome == 'dropped' then redis.call('HINCRBY', webhook, 'missed', 1) end
-- The time of an event has the offset of a sandbox.
local now, at = server_now(), step_now()
redis.call('ZREM', deliveries, before)
redis.call('ZADD', deliveries, sequence, after)
if delay_ms == '' then
  redis.call('ZREM', open, sequence .. '|' .. resource)
else
  redis.call('ZADD', open, later(now, delay_ms), sequence .. '|' .. resource)
end
if outcome == 'ok' and known[3] ~= '' then redis.call('HSET', webhook, 'failingSince', '', 'failures', 0, 'restsUntil', 0) end
if not may_end then return 1 end
if rest_ms ~= '' and tonumber(now) >= tonumber(known[5] or '0') then
  redis.call('HSET', webhook, 'failures', tonumber(known[4] or '0') + 1, 'restsUntil', later(now, rest_ms))
end
local since = known[3] ~= '' and known[3] or now
local has_failed_long = tonumber(now) - tonumber(since) >= tonumber(failing_max_ms)
if known[2] ~= '' or not (outcome == 'gone' or has_failed_long) then
  if known[3] == '' then redis.call('HSET', webhook, 'failingSince', now) end
  return 1
end
local reason = outcome == 'gone' and 'GONE' or 'FAILING'
local was = may_append_event(webhook) and webhook_text(webhook)
redis.call('HSET', webhook, 'failingSince', since, 'inactive', reason, 'updated', now, 'version', tonumber(known[1]) + 1)
if was then append_event(webhook, 'webhook.disabled', id, at, both_texts(webhook_text(webhook), was)) end
return 2
