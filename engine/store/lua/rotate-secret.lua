-- Makes `secret` the secret of an existing key; the previous one stays valid beside it: 1, or 0 when there is no such key. 2 when two are
-- valid already: clients that still use the older one would be locked out.
local live = redis.call('HMGET', record, 'secret', 'oldSecret')
if not live[1] then return 0 end
if live[2] and live[2] ~= '' then return 2 end
redis.call('HSET', record, 'secret', secret, 'oldSecret', live[1])
return 1
