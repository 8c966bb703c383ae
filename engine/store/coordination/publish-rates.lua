-- Publishes rates for the holder of the feed's lease, after the server's own time (ms, a little-endian double). Returns the number of
-- subscribers; -1 when the lease is not, or no longer, held as that holding: then nothing is published. Writes nothing.
if redis.call('GET', lease) ~= holding then return -1 end
local time = redis.call('TIME')
return redis.call('PUBLISH', channel, struct.pack('<d', tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000) .. message)
