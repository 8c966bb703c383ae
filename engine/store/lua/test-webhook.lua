-- Appends a test event, which only this endpoint gets: its sequence. -1 when there is no such endpoint, 0 where the client has no events.
if redis.call('EXISTS', webhook) == 0 then return -1 end
if not may_append_event(webhook) then return 0 end
append_event(webhook, 'test', id, step_now(), '{"webhook_id":"' .. id .. '"}')
local found = redis.call('XREVRANGE', events, '+', '-', 'COUNT', 1)
return tonumber(string.match(found[1][1], '%d+$'))
