-- Settles a scheduled conversion whose time has come, once.
-- KEYS: booking, balances, journal, scheduled, due, overdue. ARGV: 1 now ms, 2 client, 3 confirmation id, 4 sell currency, 5 sell, 6 buy
-- currency, 7 buy, 8 margin currency, 9 margin, 10 when it is tried again ms.
-- Returns 'settled', 'overdue' (the money is not there, or has no room) or 'done' (nothing was left to do).
local entry = 'settle:' .. ARGV[2] .. ':' .. ARGV[3]
local found = redis.call('HMGET', KEYS[1], 'status', 'sellAccount', 'buyAccount')
if found[1] ~= 'OPEN' and found[1] ~= 'OVERDUE' then
  redis.call('ZREM', KEYS[5], entry)
  return 'done'
end
local sell_account, buy_account = found[2], found[3]
local conversion = {
  sell_currency = ARGV[4], sell_account = sell_account, sell = ARGV[5],
  buy_currency = ARGV[6], buy_account = buy_account, buy = ARGV[7],
  margin_currency = ARGV[8], margin = ARGV[9],
}
if conversion_lacks(KEYS[2], conversion) then
  redis.call('ZADD', KEYS[5], ARGV[10], entry)
  redis.call('ZADD', KEYS[6], 0, sell_account .. '|' .. ARGV[3])
  if found[1] == 'OPEN' then
    redis.call('HSET', KEYS[1], 'status', 'OVERDUE')
    write_journal(KEYS[3], 'overdue-fx', ARGV[3], ARGV[1], {})
  end
  return 'overdue'
end

local moves = {}
move_conversion(KEYS[2], moves, conversion)
redis.call('HSET', KEYS[1], 'status', 'SETTLED', 'settledAt', ARGV[1])
redis.call('HINCRBY', KEYS[4], ARGV[4], '-' .. ARGV[5])
redis.call('ZREM', KEYS[5], entry)
write_journal(KEYS[3], 'settle-fx', ARGV[3], ARGV[1], moves)
wake(KEYS[6], KEYS[5], ARGV[2], buy_account, ARGV[1])
if found[1] == 'OVERDUE' then
  redis.call('ZREM', KEYS[6], sell_account .. '|' .. ARGV[3])
  wake(KEYS[6], KEYS[5], ARGV[2], sell_account, ARGV[1])
end
return 'settled'
