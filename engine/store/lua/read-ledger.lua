-- A client's money at one moment. KEYS: balances, accounts, journal, scheduled, overdue, open holds, waiting payments, archived, indexes
-- of bookings, payments and fundings, overdue by the account bought into.
-- Returns balances, accounts, the last journal entry that they hold, how many entries there are, open scheduled sells, overdue conversions,
-- how many holds are open, the server's own time ms, the payments that await their funds, how many entries were ever added to the journal ('' where
-- it was never written), how many were archived, how many each index has, and overdue conversions by the
-- account bought into.
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)
local archived = redis.call('HMGET', KEYS[8], 'entry', 'count')
local added = ''
if redis.call('EXISTS', KEYS[3]) == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[3])
  for i = 1, #info, 2 do if info[i] == 'entries-added' then added = string.format('%.0f', info[i + 1]) end end
end
return {
  redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]), last[1] and last[1][1] or archived[1] or '0-0', redis.call('XLEN', KEYS[3]),
  redis.call('HGETALL', KEYS[4]), redis.call('ZRANGE', KEYS[5], 0, -1), redis.call('ZCOUNT', KEYS[6], step_now(), '+inf'),
  string.format('%.0f', server_ms()), redis.call('ZRANGE', KEYS[7], 0, -1),
  added, archived[2] or '0', redis.call('ZCARD', KEYS[9]), redis.call('ZCARD', KEYS[10]), redis.call('ZCARD', KEYS[11]),
  redis.call('ZRANGE', KEYS[12], 0, -1),
}
