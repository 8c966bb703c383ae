-- Corrects an account, once for each id: `credit` nostro -> account, `debit` account -> nostro, `repay` account -> receivable.
-- KEYS: adjustment (by its id), accounts, balances, journal, due, overdue.
-- ARGV: 1 client, 2 id, 3 kind, 4 account, 5 amount, 6 reference of what is corrected, 7 actor, 8 reason.
-- Order: replay or REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE (of a debit and a repayment), BAD_AMOUNT (more than is owed),
-- INSUFFICIENT_BALANCE, BALANCE_LIMIT.
-- Returns {'adjusted' or 'replayed', balance, owed} or {'refused', code, more}; more is '<balance> <needed> <currency>', or what is owed.
local kind, account, amount, balances, now = ARGV[3], ARGV[4], ARGV[5], KEYS[3], step_now()
local currency, active = account_state(redis.call('HGET', KEYS[2], account))
local record = kind .. ' ' .. account .. ' ' .. amount .. ' ' .. ARGV[6]
local before = redis.call('GET', KEYS[1])
if before then
  if before ~= record then return { 'refused', 'REQUEST_ID_REUSED', '' } end
  return { 'replayed', balance_of(balances, currency, account), owed_by(balances, currency) }
end
if not currency then return { 'refused', 'UNKNOWN_ACCOUNT', '' } end
if not active and kind ~= 'credit' then return { 'refused', 'ACCOUNT_INACTIVE', '' } end
local balance, owed = balance_of(balances, currency, account), owed_by(balances, currency)
if kind == 'repay' and tonumber(owed) < tonumber(amount) then return { 'refused', 'BAD_AMOUNT', owed } end
if kind ~= 'credit' and tonumber(balance) < tonumber(amount) then
  return { 'refused', 'INSUFFICIENT_BALANCE', balance .. ' ' .. amount .. ' ' .. currency }
end
if kind ~= 'repay' and not house_has_room(balance_of(balances, currency, 'nostro')) or kind == 'credit' and not has_room(balance, amount) then
  return { 'refused', 'BALANCE_LIMIT', '' }
end

must_be('stream', KEYS[4], 'journal')
if kind == 'credit' then may_wake(KEYS[6], KEYS[5]) end
-- From here on nothing may refuse.
local moves = {}
local from = kind == 'credit' and 'nostro' or account
local to = kind == 'credit' and account or kind == 'debit' and 'nostro' or 'receivable'
move(balances, moves, currency, from, to, amount)
redis.call('SET', KEYS[1], record)
write_journal(KEYS[4], kind == 'repay' and 'repay' or 'adjust', ARGV[2], now, moves, ARGV[7], ARGV[8], 'reference', ARGV[6])
if kind == 'credit' then wake(KEYS[6], KEYS[5], ARGV[1], account, now) end
return { 'adjusted', balance_of(balances, currency, account), owed_by(balances, currency) }
