-- Revokes a key for good: 1, or 0 when there is no such key. `mark` is the mark of this change for append-key-event.lua, and `after` the last
-- one that has its event: 3 when another change has left a mark since.
local known = redis.call('HMGET', record, 'secret', 'event')
if not known[1] then return 0 end
if mark ~= '' and (known[2] or '') ~= after then return 3 end
redis.call('HSET', record, 'disabled', '1')
if mark ~= '' then redis.call('HSET', record, 'event', mark) end
return 1
