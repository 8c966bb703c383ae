-- Creates an endpoint that gets the events from now on: 1. 0 when the client has as many as it may have.
must_be('zset', webhooks, 'endpoints of a client')
must_be('hash', webhook, 'endpoint')
if redis.call('ZCARD', webhooks) >= tonumber(most) then return 0 end
local newest = 0
if redis.call('EXISTS', events) == 1 then
  local found = redis.call('XINFO', 'STREAM', events)
  for i = 1, #found, 2 do
    if found[i] == 'last-generated-id' then newest = string.match(found[i + 1], '%d+$') end
  end
end
redis.call('HSET', webhook, 'version', '1', 'cursor', newest, unpack(fields))
redis.call('ZADD', webhooks, 0, id)
return 1
