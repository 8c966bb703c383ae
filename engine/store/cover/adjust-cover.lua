-- Enters a movement of the house's account with a provider, from its statement, once for each id: `credit` nostro -> account, `debit`
-- account -> nostro. Returns {'adjusted' or 'replayed', balance} or {'refused', code}: REQUEST_ID_REUSED, BALANCE_LIMIT.
local now = step_now()
local record = kind .. ' ' .. account .. ' ' .. currency .. ' ' .. amount .. ' ' .. reference
local before = redis.call('GET', adjustment)
if before then
  if before ~= record then return { 'refused', 'REQUEST_ID_REUSED' } end
  return { 'replayed', balance_of(balances, currency, account) }
end
for _, name in ipairs({ account, 'nostro' }) do
  if not house_has_room(balance_of(balances, currency, name)) then return { 'refused', 'BALANCE_LIMIT' } end
end

must_be('stream', journal, 'journal')
-- No refusal after this point.
local moves = {}
local from, to = 'nostro', account
if kind == 'debit' then from, to = account, 'nostro' end
move(balances, moves, currency, from, to, amount)
write_journal(journal, 'adjust', id, now, moves, { actor = actor, reason = reason, reference = reference })
redis.call('SET', adjustment, record)
return { 'adjusted', balance_of(balances, currency, account) }
