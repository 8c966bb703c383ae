-- Makes `secret` the secret of an existing key; the previous one stays valid beside it: 1, or 0 when there is no such key. 2 when two are
-- valid already: clients that still use the older one would be locked out. `mark` is the mark of this change for append-key-event.lua, and
-- `after` the last one that has its event: 3 when another change has left a mark since.
local live = redis.call('HMGET', record, 'secret', 'oldSecret', 'event')
if not live[1] then return 0 end
if live[2] and live[2] ~= '' then return 2 end
if mark ~= '' and (live[3] or '') ~= after then return 3 end
redis.call('HSET', record, 'secret', secret, 'oldSecret', live[1])
if mark ~= '' then redis.call('HSET', record, 'event', mark) end
return 1
