-- Disables a CompID of the client until it is removed or assigned again: 1, else 0.
if redis.call('HGET', comp_id, 'client') ~= client then return 0 end
redis.call('HSET', comp_id, 'ended', '1')
return 1
