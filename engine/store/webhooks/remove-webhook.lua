-- Removes an endpoint with its deliveries: 1. 0 when it has another version than `version`, -1 when there is no such endpoint.
local current = redis.call('HGET', webhook, 'version')
if not current then return -1 end
if version ~= '' and version ~= current then return 0 end
local removed = may_append_event(webhook) and webhook_text(webhook)
local now = step_now()
must_be('zset', webhooks, 'endpoints of a client')
must_be('zset', deliveries, 'deliveries of an endpoint')
must_be('zset', open, 'open deliveries of an endpoint')
redis.call('ZREM', webhooks, id)
redis.call('DEL', webhook, deliveries, open)
if removed then append_event(webhook, 'webhook.removed', id, now, both_texts(removed, '')) end
return 1
