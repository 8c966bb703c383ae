-- Takes a CompID that is the client's, ARGV[1], out of use until it is removed or assigned again: 1, else 0.
if redis.call('HGET', KEYS[1], 'client') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'ended', '1')
return 1
