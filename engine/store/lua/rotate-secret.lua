-- Makes `secret` the secret of an existing key; the previous one stays valid beside it: 1, or 0 when there is no such key. 2 when two are
-- valid already: clients that still use the older one would be locked out. `event` marks the change for append-key-event.lua.
local live = redis.call('HMGET', record, 'secret', 'oldSecret')
if not live[1] then return 0 end
if live[2] and live[2] ~= '' then return 2 end
redis.call('HSET', record, 'secret', secret, 'oldSecret', live[1])
if event ~= '' then redis.call('HSET', record, 'event', event) end
return 1
