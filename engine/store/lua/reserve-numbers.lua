-- No later claim is given an outbound number below the bound: 1. 0 for an older epoch. The bound never falls.
-- KEYS: session. ARGV: epoch, bound.
if not holds_session(KEYS[1], ARGV[1]) then return 0 end
if tonumber(ARGV[2]) > tonumber(redis.call('HGET', KEYS[1], 'out')) then redis.call('HSET', KEYS[1], 'out', ARGV[2]) end
return 1
