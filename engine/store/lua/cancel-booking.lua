-- Gives up a scheduled conversion that has not settled. With a close-out, an OVERDUE one: what that costs is charged to the buy account, and what
-- the account does not have to the client's receivable account; what it brings is credited to the buy account.
-- KEYS: booking, journal, scheduled, due, overdue, overdue by the account bought into, accounts, balances.
-- ARGV: 1 client, 2 confirmation id, 3 sell currency, 4 sell, 5 actor, 6 reason, 7 '' (no close-out), 'charge' or 'credit', 8 its
-- currency, 9 its amount, 10 its facts (JSON, without what is owed).
-- Order: the status that does not allow it, ACCOUNT_INACTIVE, BALANCE_LIMIT.
-- Returns {'cancelled', what is owed}, {'status', status or '' for no booking} or {'refused', code}.
local found = redis.call('HMGET', KEYS[1], 'status', 'sellAccount', 'buyAccount')
local status, kind, balances, now = found[1], ARGV[7], KEYS[8], step_now()
if status ~= 'OVERDUE' and (status ~= 'OPEN' or kind ~= '') then return { 'status', status or '' } end

local account, currency, amount, owed, moves = found[3], ARGV[8], ARGV[9], '0', {}
if kind ~= '' then
  local _, active = account_state(redis.call('HGET', KEYS[7], account))
  if not active then return { 'refused', 'ACCOUNT_INACTIVE' } end
  for _, name in ipairs({ 'house:fx', 'receivable' }) do
    if not house_has_room(balance_of(balances, currency, name)) then return { 'refused', 'BALANCE_LIMIT' } end
  end
  if kind == 'credit' and not has_room(balance_of(balances, currency, account), amount) then return { 'refused', 'BALANCE_LIMIT' } end
end

must_be('stream', KEYS[2], 'journal')
must_be('hash', KEYS[3], 'open scheduled sells')
must_be('zset', KEYS[4], 'due list')
must_be('zset', KEYS[5], 'overdue conversions')
must_be('zset', KEYS[6], 'overdue conversions by the account bought into')
if kind == 'credit' then may_wake_payments(KEYS[5]) end
-- From here on nothing may refuse.
if kind == 'charge' then
  owed = beyond_balance(balances, currency, account, amount)
  debit_or_owe(balances, moves, currency, account, 'house:fx', amount, owed)
elseif kind == 'credit' then
  move(balances, moves, currency, 'house:fx', account, amount)
end
redis.call('HSET', KEYS[1], 'status', 'CANCELLED')
if kind ~= '' then redis.call('HSET', KEYS[1], 'closeOut', string.sub(ARGV[10], 1, -2) .. ',"receivable":"' .. owed .. '"}') end
redis.call('HINCRBY', KEYS[3], ARGV[3], '-' .. ARGV[4])
redis.call('ZREM', KEYS[4], 'settle:' .. ARGV[1] .. ':' .. ARGV[2])
redis.call('ZREM', KEYS[5], found[2] .. '|' .. ARGV[2])
redis.call('ZREM', KEYS[6], account .. '|' .. ARGV[2])
write_journal(KEYS[2], kind == '' and 'cancel-fx' or 'close-out-fx', ARGV[2], now, moves, ARGV[5], ARGV[6])
if kind == 'credit' then wake(KEYS[5], KEYS[4], ARGV[1], account, now) end
return { 'cancelled', owed }
