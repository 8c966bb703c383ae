-- Sets fields of a FIX session: 1. 0 for an older epoch.
-- KEYS: session. ARGV: epoch, field, value ...
if not holds_session(KEYS[1], ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
return 1
