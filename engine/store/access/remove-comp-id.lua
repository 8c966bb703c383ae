-- Deletes a CompID of the client: 1, else 0.
if redis.call('HGET', comp_id, 'client') ~= client then return 0 end
redis.call('DEL', comp_id)
return 1
