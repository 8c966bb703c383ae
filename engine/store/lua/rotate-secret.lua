-- Makes ARGV[1] the secret of a key that exists; the one before stays live beside it: 1, else 0.
local before = redis.call('HGET', KEYS[1], 'secret')
if not before then return 0 end
redis.call('HSET', KEYS[1], 'secret', ARGV[1], 'oldSecret', before)
return 1
