-- Money from the outside world: nostro -> account. A reference is credited once.
-- KEYS: deposit (by reference), accounts, balances, journal, due, overdue. ARGV: client, reference, account, amount.
-- Returns {'credited', balance}, {'replayed', balance} or {'refused', code}. Order: replay or REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, BALANCE_LIMIT.
local account, amount, now = ARGV[3], ARGV[4], step_now()
local currency, active = account_state(redis.call('HGET', KEYS[2], account))
local before = redis.call('GET', KEYS[1])
if before then
  local paid_to, paid = string.match(before, '^(%d+) (%d+)$')
  if paid_to ~= account or paid ~= amount then return { 'refused', 'REQUEST_ID_REUSED' } end
  return { 'replayed', balance_of(KEYS[3], currency, account) }
end
if not currency then return { 'refused', 'UNKNOWN_ACCOUNT' } end
if not active then return { 'refused', 'ACCOUNT_INACTIVE' } end
local nostro = balance_of(KEYS[3], currency, 'nostro')
if not has_room(balance_of(KEYS[3], currency, account), amount) or not house_has_room(nostro) then
  return { 'refused', 'BALANCE_LIMIT' }
end

must_be('stream', KEYS[4], 'journal')
may_wake(KEYS[6], KEYS[5])
local moves = {}
move(KEYS[3], moves, currency, 'nostro', account, amount)
redis.call('SET', KEYS[1], account .. ' ' .. amount)
write_journal(KEYS[4], 'deposit', ARGV[2], now, moves)
wake(KEYS[6], KEYS[5], ARGV[1], account, now)
return { 'credited', balance_of(KEYS[3], currency, account) }
