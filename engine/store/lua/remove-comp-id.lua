-- Deletes a CompID that is the client's, ARGV[1]: 1, else 0.
if redis.call('HGET', KEYS[1], 'client') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
return 1
