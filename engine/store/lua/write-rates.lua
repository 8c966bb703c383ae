-- Replaces the last known rates for the engine that holds the feed's lease: 1; 0 when it does not, or no longer, which changes nothing.
-- KEYS: lease, rates. ARGV: holding, pair, rate ...
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
must_be('hash', KEYS[2], 'last known rates')
redis.call('DEL', KEYS[2])
if #ARGV > 1 then redis.call('HSET', KEYS[2], unpack(ARGV, 2)) end
return 1
