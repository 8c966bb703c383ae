-- Balances and accounts of one moment, and the last journal entry that they hold. KEYS: balances, accounts, journal.
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)
return { redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]), last[1] and last[1][1] or '0-0' }
