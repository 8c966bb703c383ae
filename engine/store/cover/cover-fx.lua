-- Books a fill of a cover order, once for each execution: the house's accounts with the provider, its journal and its position. A fill of an
-- order that has ended is booked too: a late report is a deal all the same. What an operator books of a disputed order may be below 0.
-- Returns {'booked', status}, {'known'}: the execution is booked, {'changed'}: another amount is filled than the caller has read,
-- {'status', status or ''}: it was never sent, or is disputed and this is not by hand, or {'refused', 'BALANCE_LIMIT'}.
local now = step_now()
local status, filled, quote_filled, facts = unpack(redis.call('HMGET', cover, 'status', 'filled', 'quote', 'facts'))
if not status or status == 'suggested' or status == 'planned' or status == 'withdrawn' then return { 'status', status or '' } end
if status == 'disputed' and by_hand == '' then return { 'status', status } end
if redis.call('HEXISTS', cover, 'fill:' .. exec_id) == 1 then return { 'known' } end
if filled ~= filled_before then return { 'changed' } end
for _, name in ipairs({ account, 'house:fx' }) do
  if not house_has_room(balance_of(balances, base_currency, name)) or not house_has_room(balance_of(balances, quote_currency, name)) then
    return { 'refused', 'BALANCE_LIMIT' }
  end
end

must_be('stream', journal, 'journal')
must_be('hash', open_covers, 'open cover orders')
local received, given = base, quote
if side == 'sell' then received, given = quote, base end
change_earlier_position(bookings, position, received, given, '0')
-- No refusal after this point.
local moves = {}
local function move_change(currency, from, to, change)
  local less = string.match(change, '^%-(%d+)$')
  if less then from, to = to, from end
  move(balances, moves, currency, from, to, less or change)
end
local from, to = account, 'house:fx'
if side == 'sell' then from, to = to, from end
move_change(base_currency, from, to, base)
move_change(quote_currency, to, from, quote)
local entry = write_journal(journal, 'cover-fx', id, now, moves,
  { hash = facts_hash(facts), actor = actor, reference = exec_id, reason = price })
write_positions(entry)
forget_values(bookings)
filled = string.format('%.0f', tonumber(filled) + tonumber(base))
local is_whole = tonumber(filled) >= tonumber(amount)
if is_whole and status ~= 'resolved' and status ~= 'disputed' then
  status = 'filled'
  redis.call('HSET', cover, 'reason', '')
  if redis.call('HGET', open_covers, pair) == id then redis.call('HDEL', open_covers, pair) end
elseif status == 'rejected' then
  status = 'partly-filled'
end
redis.call('HSET', cover, 'status', status, 'filled', filled, 'at', now,
  'quote', string.format('%.0f', tonumber(quote_filled) + tonumber(quote)),
  'fill:' .. exec_id, base .. ' ' .. quote .. ' ' .. price .. ' ' .. entry)
return { 'booked', status }
