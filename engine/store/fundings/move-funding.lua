-- Moves a funding to its next status, with the step's moves: COMPLETED nostro -> account, REVERSED account -> nostro and, where that is
-- allowed, the rest receivable -> nostro.
-- Order: already there, WRONG_STATE, ACCOUNT_INACTIVE (of COMPLETED and REVERSED), INSUFFICIENT_BALANCE (of REVERSED), BALANCE_LIMIT.
-- Returns {'moved', at ms, debited from the receivable account}, {'again', at ms, actor, reason} or {'refused', code, more}; more is the
-- status, or '<balance> <needed> <currency>'.
local now = step_now()
local found = redis.call('HMGET', funding, 'status', 'updatedAt', 'actor', 'reason')
if found[1] == to then return { 'again', found[2], found[3], found[4] } end
if found[1] ~= from then return { 'refused', 'WRONG_STATE', found[1] or '' } end

local moves, owed = {}, '0'
local currency, active = account_state(redis.call('HGET', accounts, account))
local moves_money = to == 'COMPLETED' or to == 'REVERSED'
if moves_money and not active then return { 'refused', 'ACCOUNT_INACTIVE', '' } end
must_be('stream', journal, 'journal')
must_be('zset', due, 'due list')
may_append_event(journal)
if to == 'COMPLETED' then may_wake(overdue, due) end
if to == 'COMPLETED' then
  if not has_room(balance_of(balances, currency, account), amount) or not house_has_room(balance_of(balances, currency, 'nostro')) then
    return { 'refused', 'BALANCE_LIMIT', '' }
  end
  may_repay(client, balances, currency, account, amount)
  move(balances, moves, currency, 'nostro', account, amount)
elseif to == 'REVERSED' then
  owed = beyond_balance(balances, currency, account, amount)
  if owed ~= '0' and allow_receivable ~= '1' then
    return { 'refused', 'INSUFFICIENT_BALANCE', balance_of(balances, currency, account) .. ' ' .. amount .. ' ' .. currency }
  end
  for _, name in ipairs({ 'nostro', 'receivable' }) do
    if not house_has_room(balance_of(balances, currency, name)) then return { 'refused', 'BALANCE_LIMIT', '' } end
  end
  may_owe(balances)
  debit_or_owe(balances, moves, currency, account, 'nostro', amount, owed)
end

-- No refusal after this point.
local entry = write_journal(journal, step, funding_id, now, moves, { actor = actor, reason = reason })
redis.call('HSET', funding, 'status', to, 'updatedAt', now, 'actor', actor, 'reason', reason, 'journal:' .. to, entry)
if owed ~= '0' then
  redis.call('HSET', funding, 'receivable', owed)
  add_receivable(balances, currency, entry, funding_id, owed, 0, 0)
end
append_event(journal, 'funding.' .. string.lower(to), funding_id, now, to .. '|' .. now .. '|' .. from .. '|' .. found[2])
redis.call('ZREM', due, 'fund:' .. client .. ':' .. funding_id)
if to == 'COMPLETED' then repay_credits(client, balances, journal, funding_id, now) end
if to == 'COMPLETED' then wake(overdue, due, client, account, now) end
return { 'moved', now, owed }
