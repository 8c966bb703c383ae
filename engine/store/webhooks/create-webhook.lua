-- Creates an endpoint that gets the events from now on, once its URL has answered a challenge: 1. 0 when the client has as many as it may
-- have. Its own creation is an event for the client's other endpoints.
local due = slot_tag .. ':events-due'
must_be('zset', webhooks, 'endpoints of a client')
must_be('hash', webhook, 'endpoint')
must_be('zset', due, 'clients with events to deliver')
if redis.call('ZCARD', webhooks) >= tonumber(most) then return 0 end
local newest = 0
if redis.call('EXISTS', events) == 1 then
  local found = redis.call('XINFO', 'STREAM', events)
  for i = 1, #found, 2 do
    if found[i] == 'last-generated-id' then newest = string.match(found[i + 1], '%d+$') end
  end
end
local has_one = may_append_event(webhook)
local now, at = server_now(), step_now()
if has_one then newest = string.format('%.0f', tonumber(newest) + 1) end
redis.call('HSET', webhook, 'version', '1', 'cursor', newest, 'inactive', 'PENDING',
  'challenge', later(now, challenge_ms) .. '|' .. now .. '|0|', unpack(fields))
redis.call('ZADD', webhooks, 0, id)
if has_one then append_event(webhook, 'webhook.created', id, at, both_texts(webhook_text(webhook), '')) end
redis.call('ZADD', due, 'LT', now, client)
return 1
