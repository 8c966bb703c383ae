-- Takes a funding one step further, with what the step does to the money: COMPLETED nostro -> account, REVERSED account -> nostro.
-- KEYS: funding, accounts, balances, journal, due, overdue.
-- ARGV: 1 now ms, 2 client, 3 funding id, 4 status from which it may go, 5 to status, 6 step, 7 account, 8 amount, 9 actor, 10 reason.
-- Order: already there, WRONG_STATE, ACCOUNT_INACTIVE (of COMPLETED), INSUFFICIENT_BALANCE (of REVERSED), BALANCE_LIMIT.
-- Returns {'moved'}, {'again', at ms, actor, reason} or {'refused', code, more}; more is the status, or '<balance> <needed> <currency>'.
local funding, balances, account, amount = KEYS[1], KEYS[3], ARGV[7], ARGV[8]
local found = redis.call('HMGET', funding, 'status', 'updatedAt', 'actor', 'reason')
if found[1] == ARGV[5] then return { 'again', found[2], found[3], found[4] } end
if found[1] ~= ARGV[4] then return { 'refused', 'WRONG_STATE', found[1] or '' } end

local moves = {}
local currency, active = account_state(redis.call('HGET', KEYS[2], account))
if ARGV[5] == 'COMPLETED' then
  if not active then return { 'refused', 'ACCOUNT_INACTIVE', '' } end
  if not has_room(balance_of(balances, currency, account), amount) or not house_has_room(balance_of(balances, currency, 'nostro')) then
    return { 'refused', 'BALANCE_LIMIT', '' }
  end
  move(balances, moves, currency, 'nostro', account, amount)
elseif ARGV[5] == 'REVERSED' then
  local available = balance_of(balances, currency, account)
  if tonumber(available) < tonumber(amount) then
    return { 'refused', 'INSUFFICIENT_BALANCE', available .. ' ' .. amount .. ' ' .. currency }
  end
  if not house_has_room(balance_of(balances, currency, 'nostro')) then return { 'refused', 'BALANCE_LIMIT', '' } end
  move(balances, moves, currency, account, 'nostro', amount)
end

-- From here on nothing may refuse.
local entry = write_journal(KEYS[4], ARGV[6], ARGV[3], ARGV[1], moves, ARGV[9], ARGV[10])
redis.call('HSET', funding, 'status', ARGV[5], 'updatedAt', ARGV[1], 'actor', ARGV[9], 'reason', ARGV[10], 'journal:' .. ARGV[5],
  entry)
redis.call('ZREM', KEYS[5], 'fund:' .. ARGV[2] .. ':' .. ARGV[3])
if ARGV[5] == 'COMPLETED' then wake(KEYS[6], KEYS[5], ARGV[2], account, ARGV[1]) end
return { 'moved' }
