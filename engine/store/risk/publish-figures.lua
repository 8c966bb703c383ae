-- Publishes risk figures for the holder of the risk lease. `keep`: keeps them too, for processes that start; `day`: replaces what the trading
-- day began with. Returns 1; 0 when the lease is not, or no longer, held as that holding: then nothing is published or written.
if redis.call('GET', lease) ~= holding then return 0 end
must_be('string', figures, 'risk figures')
must_be('string', day_start, 'start of the trading day')
if day ~= '' then redis.call('SET', day_start, day) end
if keep ~= '' then redis.call('SET', figures, message) end
redis.call('PUBLISH', channel, message)
return 1
