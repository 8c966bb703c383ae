-- Settles a scheduled conversion whose time has come, once.
-- KEYS: booking, balances, journal, scheduled, due, overdue, accounts, overdue by the account bought into. ARGV: 1 client, 2 confirmation id,
-- 3 sell currency, 4 sell, 5 buy currency, 6 buy, 7 margin currency, 8 margin, 9 after how long it is tried again ms.
-- Returns 'settled', 'overdue' (an account is inactive, the money is not there, or has no room), 'done' (nothing was left to do) or 'early'
-- (its time has not come).
local now = step_now()
local entry = 'settle:' .. ARGV[1] .. ':' .. ARGV[2]
local found = redis.call('HMGET', KEYS[1], 'status', 'sellAccount', 'buyAccount')
if found[1] ~= 'OPEN' and found[1] ~= 'OVERDUE' then
  redis.call('ZREM', KEYS[5], entry)
  return 'done'
end
if not is_due(KEYS[5], entry, now) then return 'early' end
may_wake(KEYS[6], KEYS[5])
must_be('stream', KEYS[3], 'journal')
must_be('hash', KEYS[4], 'open scheduled sells')
must_be('zset', KEYS[8], 'overdue conversions by the account bought into')
local sell_account, buy_account = found[2], found[3]
local conversion = {
  sell_currency = ARGV[3], sell_account = sell_account, sell = ARGV[4],
  buy_currency = ARGV[5], buy_account = buy_account, buy = ARGV[6],
  margin_currency = ARGV[7], margin = ARGV[8],
}
local lacks = is_inactive(KEYS[7], sell_account, buy_account) and 'ACCOUNT_INACTIVE' or conversion_lacks(KEYS[2], conversion)
if lacks then
  redis.call('ZADD', KEYS[5], later(now, ARGV[9]), entry)
  redis.call('ZADD', KEYS[6], 0, sell_account .. '|' .. ARGV[2])
  redis.call('ZADD', KEYS[8], 0, buy_account .. '|' .. ARGV[2])
  if found[1] == 'OPEN' then
    redis.call('HSET', KEYS[1], 'status', 'OVERDUE')
    write_journal(KEYS[3], 'overdue-fx', ARGV[2], now, {}, 'service', lacks)
  end
  return 'overdue'
end

local moves = {}
move_conversion(KEYS[2], moves, conversion)
redis.call('HSET', KEYS[1], 'status', 'SETTLED', 'settledAt', now)
redis.call('HINCRBY', KEYS[4], ARGV[3], '-' .. ARGV[4])
redis.call('ZREM', KEYS[5], entry)
write_journal(KEYS[3], 'settle-fx', ARGV[2], now, moves)
wake(KEYS[6], KEYS[5], ARGV[1], buy_account, now)
if found[1] == 'OVERDUE' then
  redis.call('ZREM', KEYS[6], sell_account .. '|' .. ARGV[2])
  redis.call('ZREM', KEYS[8], buy_account .. '|' .. ARGV[2])
  wake(KEYS[6], KEYS[5], ARGV[1], sell_account, now)
  wake_overdue(KEYS[8], KEYS[5], ARGV[1], buy_account, now)
end
return 'settled'
