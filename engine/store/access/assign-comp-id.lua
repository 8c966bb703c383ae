-- Assigns a CompID to the client and sets its options: 1. 0 when it is another client's.
local holder = redis.call('HGET', comp_id, 'client')
if holder and holder ~= client then return 0 end
redis.call('HSET', comp_id, 'client', client, unpack(options))
redis.call('HDEL', comp_id, 'ended')
return 1
