-- Makes `secret` the secret of a key that exists; the one before stays live beside it: 1, or 0 when there is no such key. 2 when two are
-- live already: whoever still uses the older one would be locked out.
local live = redis.call('HMGET', record, 'secret', 'oldSecret')
if not live[1] then return 0 end
if live[2] and live[2] ~= '' then return 2 end
redis.call('HSET', record, 'secret', secret, 'oldSecret', live[1])
return 1
