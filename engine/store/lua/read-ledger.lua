-- A client's money at one moment. KEYS: balances, accounts, journal, scheduled, overdue, open holds, waiting payments, archived. ARGV: now ms.
-- Returns balances, accounts, the last journal entry that they hold, how many entries there are, open scheduled sells, overdue conversions,
-- how many holds are open, the server's own time ms, and the payments that await their funds.
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)
local archived = redis.call('HGET', KEYS[8], 'entry') or '0-0'
return {
  redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]), last[1] and last[1][1] or archived, redis.call('XLEN', KEYS[3]),
  redis.call('HGETALL', KEYS[4]), redis.call('ZRANGE', KEYS[5], 0, -1), redis.call('ZCOUNT', KEYS[6], ARGV[1], '+inf'),
  string.format('%.0f', server_ms()), redis.call('ZRANGE', KEYS[7], 0, -1),
}
