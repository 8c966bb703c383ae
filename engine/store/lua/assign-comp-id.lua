-- Gives a CompID to the client ARGV[1] and sets the options that follow: 1. 0 when it is another client's.
local holder = redis.call('HGET', KEYS[1], 'client')
if holder and holder ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'client', unpack(ARGV))
redis.call('HDEL', KEYS[1], 'ended')
return 1
