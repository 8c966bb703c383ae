-- One account at one moment. KEYS: balances, journal. ARGV: `<currency>/<account>`.
-- Returns its balance and the last journal entry that it holds, '0-0' when there is none.
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)
return { redis.call('HGET', KEYS[1], ARGV[1]) or '0', last[1] and last[1][1] or '0-0' }
