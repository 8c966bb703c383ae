-- Corrects an account, once for each id: `credit` nostro -> account, `debit` account -> nostro, `repay` account -> receivable, of which the
-- oldest are served first: the margins and shares that it frees are posted.
-- Order: replay or REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE (of a debit and a repayment), BAD_AMOUNT (more than is owed),
-- INSUFFICIENT_BALANCE, BALANCE_LIMIT.
-- Returns {'adjusted' or 'replayed', balance, owed} or {'refused', code, more}; more is '<balance> <needed> <currency>', or what is owed.
local now = step_now()
local currency, active = account_state(redis.call('HGET', accounts, account))
local record = kind .. ' ' .. account .. ' ' .. amount .. ' ' .. reference
local before = redis.call('GET', adjustment)
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

must_be('stream', journal, 'journal')
if kind == 'credit' then
  may_wake(overdue, due)
  may_repay(client, balances, currency, account, amount)
end
local plan
if kind == 'repay' then
  may_wake(overdue, due)
  may_owe(balances)
  plan = plan_repayment(balances, currency, amount)
  if plan_lacks(client, balances, currency, plan) then return { 'refused', 'BALANCE_LIMIT', '' } end
end
-- No refusal after this point.
local moves = {}
local from = kind == 'credit' and 'nostro' or account
local to = kind == 'credit' and account or kind == 'debit' and 'nostro' or 'receivable'
move(balances, moves, currency, from, to, amount)
if plan then move_freed(balances, moves, currency, plan) end
write_journal(journal, kind == 'repay' and 'repay' or 'adjust', id, now, moves, { actor = actor, reason = reason, reference = reference })
if plan then
  write_repayment(balances, plan)
  if plan.share ~= '0' then post_share(client, id, now, currency, plan.share) end
end
redis.call('SET', adjustment, record)
if kind == 'credit' then repay_credits(client, balances, journal, id, now) end
-- What is no longer owed may leave from other accounts.
if kind ~= 'debit' then wake(overdue, due, client, account, now) end
return { 'adjusted', balance_of(balances, currency, account), owed_by(balances, currency) }
