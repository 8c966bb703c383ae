-- Pays the gain of a cancelled conversion when its date has come, and posts the margins that no charge has paid, once it is whole. `held` is
-- kept back from gain and share, as the caller has computed it when its group had the mark `changes`. A member of `gains` is `<confirmation id>|<currency>|<gain>|<margin>|<share>`: what is still to be paid.
-- Returns 'paid', 'partly', 'later' (all of it is held back, its account is inactive, or a balance has no room), 'early' (its time has not come),
-- 'changed' (the group has changed since) or 'done' (nothing was left to do).
local now, entry = step_now(), 'gain:' .. client .. ':' .. confirmation_id
local member = redis.call('ZRANGE', gains, '[' .. confirmation_id .. '|', '(' .. confirmation_id .. '}', 'BYLEX', 'LIMIT', 0, 1)[1]
if not member then
  redis.call('ZREM', due, entry)
  return 'done'
end
if not is_due(due, entry, now) then return 'early' end
if (redis.call('HGET', group_key(gains, 'scheduled'), 'changes') or '') ~= changes then return 'changed' end
must_be('zset', group_key(gains, 'held'), 'gains of a group that are held back')
local held_member = client .. '|' .. confirmation_id
local currency, gain, margin, share = string.match(member, '^[^|]*|(%u+)|(%d+)|(%d+)|(%d+)$')
if not currency then error('a gain cannot be read: run ratewire reconcile', 0) end
-- Each below 10^15: sums and differences are exact.
local free = math.max(0, tonumber(gain) + tonumber(share) - tonumber(held))
local pays = math.min(tonumber(gain), free)
local is_whole = free - tonumber(gain) >= tonumber(share)
local amount = string.format('%.0f', pays)
local _, active = account_state(redis.call('HGET', accounts, account))
local lacks = pays == 0 and not is_whole or pays > 0 and (not active or not has_room(balance_of(balances, currency, account), amount))
for _, name in ipairs({ 'house:fx', 'house:margin' }) do
  lacks = lacks or not house_has_room(balance_of(balances, currency, name))
end
if not lacks and is_whole and share ~= '0' then lacks = share_lacks(client, balances, currency) end
if lacks then
  if free < tonumber(gain) + tonumber(share) then redis.call('ZADD', group_key(gains, 'held'), 0, held_member) end
  put_due(due, later(now, retry_ms), entry)
  return 'later'
end

must_be('stream', journal, 'journal')
may_wake(overdue, due)
may_repay(client, balances, currency, account, amount)
-- No refusal after this point.
local moves = {}
move(balances, moves, currency, 'house:fx', account, amount)
if is_whole then
  move(balances, moves, currency, 'house:fx', 'house:margin', margin)
  move(balances, moves, currency, 'house:fx', 'platform:margin', share)
end
write_journal(journal, 'gain-fx', confirmation_id, now, moves, { actor = 'service' })
redis.call('ZREM', gains, member)
if is_whole then
  redis.call('ZREM', group_key(gains, 'held'), held_member)
  redis.call('ZREM', due, entry)
  if share ~= '0' then post_share(client, confirmation_id, now, currency, share) end
else
  local left = string.format('%.0f', tonumber(gain) - pays)
  redis.call('ZADD', group_key(gains, 'held'), 0, held_member)
  redis.call('ZADD', gains, 0, confirmation_id .. '|' .. currency .. '|' .. left .. '|' .. margin .. '|' .. share)
  put_due(due, later(now, retry_ms), entry)
end
repay_credits(client, balances, journal, confirmation_id, now)
wake(overdue, due, client, account, now)
return is_whole and 'paid' or 'partly'
