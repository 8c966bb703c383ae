-- Notes a token among the client's live ones (scored by expiry); returns those that are now too many, oldest first.
-- ARGV: hash, expiry ms, now ms, how many may live.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', tonumber(ARGV[2]) - tonumber(ARGV[3])))
local gone = redis.call('ZRANGE', KEYS[1], 0, -1 - tonumber(ARGV[4]))
if #gone > 0 then redis.call('ZREM', KEYS[1], unpack(gone)) end
return gone
