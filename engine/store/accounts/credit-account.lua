-- Credits money from outside: nostro -> account. A reference is credited once.
-- Returns {'credited', balance}, {'replayed', balance} or {'refused', code}. Order: replay or REQUEST_ID_REUSED, UNKNOWN_ACCOUNT,
-- ACCOUNT_INACTIVE, BALANCE_LIMIT.
local now = step_now()
local currency, active = account_state(redis.call('HGET', accounts, account))
local before = redis.call('GET', deposit)
if before then
  local paid_to, paid = string.match(before, '^(%d+) (%d+)$')
  if paid_to ~= account or paid ~= amount then return { 'refused', 'REQUEST_ID_REUSED' } end
  return { 'replayed', balance_of(balances, currency, account) }
end
if not currency then return { 'refused', 'UNKNOWN_ACCOUNT' } end
if not active then return { 'refused', 'ACCOUNT_INACTIVE' } end
local nostro = balance_of(balances, currency, 'nostro')
if not has_room(balance_of(balances, currency, account), amount) or not house_has_room(nostro) then
  return { 'refused', 'BALANCE_LIMIT' }
end

must_be('stream', journal, 'journal')
may_wake(overdue, due)
may_repay(client, balances, currency, account, amount)
local moves = {}
move(balances, moves, currency, 'nostro', account, amount)
write_journal(journal, 'deposit', reference, now, moves)
redis.call('SET', deposit, account .. ' ' .. amount)
repay_credits(client, balances, journal, reference, now)
wake(overdue, due, client, account, now)
return { 'credited', balance_of(balances, currency, account) }
