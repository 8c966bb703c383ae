-- Takes a funding one step further, with what the step does to the money: COMPLETED nostro -> account, REVERSED account -> nostro
-- and, where that is allowed, the rest receivable -> nostro.
-- KEYS: funding, accounts, balances, journal, due, overdue.
-- ARGV: 1 client, 2 funding id, 3 status from which it may go, 4 to status, 5 step, 6 account, 7 amount, 8 actor, 9 reason,
-- 10 '1' when a REVERSED one may take from the receivable account what the account does not have.
-- Order: already there, WRONG_STATE, ACCOUNT_INACTIVE (of COMPLETED and REVERSED), INSUFFICIENT_BALANCE (of REVERSED), BALANCE_LIMIT.
-- Returns {'moved', at ms, taken from the receivable account}, {'again', at ms, actor, reason} or {'refused', code, more}; more is the
-- status, or '<balance> <needed> <currency>'.
local funding, balances, account, amount, now = KEYS[1], KEYS[3], ARGV[6], ARGV[7], step_now()
local found = redis.call('HMGET', funding, 'status', 'updatedAt', 'actor', 'reason')
if found[1] == ARGV[4] then return { 'again', found[2], found[3], found[4] } end
if found[1] ~= ARGV[3] then return { 'refused', 'WRONG_STATE', found[1] or '' } end

local moves, owed = {}, '0'
local currency, active = account_state(redis.call('HGET', KEYS[2], account))
local moves_money = ARGV[4] == 'COMPLETED' or ARGV[4] == 'REVERSED'
if moves_money and not active then return { 'refused', 'ACCOUNT_INACTIVE', '' } end
must_be('stream', KEYS[4], 'journal')
must_be('zset', KEYS[5], 'due list')
if ARGV[4] == 'COMPLETED' then may_wake(KEYS[6], KEYS[5]) end
if ARGV[4] == 'COMPLETED' then
  if not has_room(balance_of(balances, currency, account), amount) or not house_has_room(balance_of(balances, currency, 'nostro')) then
    return { 'refused', 'BALANCE_LIMIT', '' }
  end
  move(balances, moves, currency, 'nostro', account, amount)
elseif ARGV[4] == 'REVERSED' then
  owed = beyond_balance(balances, currency, account, amount)
  if owed ~= '0' and ARGV[10] ~= '1' then
    return { 'refused', 'INSUFFICIENT_BALANCE', balance_of(balances, currency, account) .. ' ' .. amount .. ' ' .. currency }
  end
  for _, name in ipairs({ 'nostro', 'receivable' }) do
    if not house_has_room(balance_of(balances, currency, name)) then return { 'refused', 'BALANCE_LIMIT', '' } end
  end
  debit_or_owe(balances, moves, currency, account, 'nostro', amount, owed)
end

-- From here on nothing may refuse.
local entry = write_journal(KEYS[4], ARGV[5], ARGV[2], now, moves, ARGV[8], ARGV[9])
redis.call('HSET', funding, 'status', ARGV[4], 'updatedAt', now, 'actor', ARGV[8], 'reason', ARGV[9], 'journal:' .. ARGV[4], entry)
if owed ~= '0' then redis.call('HSET', funding, 'receivable', owed) end
redis.call('ZREM', KEYS[5], 'fund:' .. ARGV[1] .. ':' .. ARGV[2])
if ARGV[4] == 'COMPLETED' then wake(KEYS[6], KEYS[5], ARGV[1], account, now) end
return { 'moved', now, owed }
