-- Replaces the last known rates for the holder of the feed's lease: 1; 0 when the engine does not, or no longer, hold it, which changes
-- nothing.
if redis.call('GET', lease) ~= holding then return 0 end
must_be('hash', rates, 'last known rates')
redis.call('DEL', rates)
if #by_pair > 0 then redis.call('HSET', rates, unpack(by_pair)) end
return 1
