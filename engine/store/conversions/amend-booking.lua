-- Busts or corrects a conversion that is as the caller read it. Of one that has settled every move is reversed, and a correction moves the new
-- amounts; one that has not settled has moved nothing, and settles with the new amounts. The session that booked it, and those with copies, are
-- notified.
-- Order: changed, REQUEST_ID_REUSED (of another conversion, or of an adjustment), ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE, BALANCE_LIMIT.
-- Returns {'amended', at ms, journal entry, CompIDs of the sessions that are notified ...}, {'changed'}: its status or its amendments differ
-- from `status` and `before`, or {'refused', code, more}; more is '<balance> <needed> <currency>'.
local booking, now = booking_of(bookings, confirmation_id), step_now()
if not booking or booking.status ~= status or booking.afterwards ~= before then return { 'changed' } end
if redis.call('EXISTS', adjustment) == 1 then return { 'refused', 'REQUEST_ID_REUSED', '' } end
local sell_account, buy_account, has_settled = booking.sell_account, booking.buy_account, status == 'SETTLED'

local moves, credited = {}, {}
-- Of a bust the new terms are all absent.
local shares = share ~= '0' or (new_share ~= '' and new_share ~= '0')
if has_settled then
  if is_inactive(accounts, sell_account, buy_account) then return { 'refused', 'ACCOUNT_INACTIVE', '' } end
  move(balances, moves, sell_currency, 'house:fx', sell_account, sell)
  move(balances, moves, buy_currency, buy_account, 'house:fx', buy)
  move(balances, moves, margin_currency, 'house:margin', 'house:fx', difference(margin, share))
  move(balances, moves, margin_currency, 'platform:margin', 'house:fx', share)
  if kind == 'correct' then
    move_conversion(balances, moves, {
      sell_currency = sell_currency, sell_account = sell_account, sell = new_sell,
      buy_currency = buy_currency, buy_account = buy_account, buy = new_buy,
      margin_currency = margin_currency, margin = difference(new_margin, new_share),
    })
    move(balances, moves, margin_currency, 'house:fx', 'platform:margin', new_share)
  end
  read_balances(balances, moves.changes)
  local own = { { sell_currency, sell_account }, { buy_currency, buy_account } }
  for _, account in ipairs(own) do
    local name = account[1] .. '/' .. account[2]
    local balance, change = known_balances[name], moves.changes[name]
    if tonumber(balance) + change < 0 then
      return { 'refused', 'INSUFFICIENT_BALANCE', balance .. ' ' .. string.format('%.0f', -change) .. ' ' .. account[1] }
    end
  end
  for _, account in ipairs(own) do
    local name = account[1] .. '/' .. account[2]
    local change = moves.changes[name]
    if not has_room(known_balances[name], change) then return { 'refused', 'BALANCE_LIMIT', '' } end
    if change > 0 then credited[#credited + 1] = account[2] end
  end
  if shares and share_lacks(client, balances, margin_currency) then return { 'refused', 'BALANCE_LIMIT', '' } end
  for _, name in ipairs(moves.changes) do
    if not house_has_room(known_balances[name]) then return { 'refused', 'BALANCE_LIMIT', '' } end
  end
end

local copied = reported_sessions(drop_copies, sessions, report_to)
must_be('stream', journal, 'journal')
may_append_event(journal)
if #credited > 0 then may_wake(overdue, due) end
for _, one in ipairs(has_settled and { { sell_currency, sell_account }, { buy_currency, buy_account } } or {}) do
  may_repay(client, balances, one[1], one[2], moves.changes[one[1] .. '/' .. one[2]])
end
if not has_settled then
  must_be('hash', scheduled, 'open scheduled sells')
  may_change_group(scheduled)
  must_be('zset', due, 'due list')
  must_be('zset', overdue, 'overdue conversions')
  must_be('zset', overdue_into, 'overdue conversions by the account bought into')
end
change_earlier_position(bookings, position, difference(new_sell, sell), difference(new_buy, buy), difference(new_margin, margin))
-- No refusal after this point.
local entry = write_journal(journal, kind == 'bust' and 'bust-fx' or 'correct-fx', confirmation_id, now, moves,
  { hash = facts_hash(amendment), actor = actor, reason = reason })
local earlier = conversion_state(booking)
local all = before == '' and '[' or string.sub(before, 1, -2) .. ','
booking.afterwards = all .. string.sub(amendment, 1, -2) .. ',"atMs":' .. now .. ',"entry":"' .. entry .. '"}]'
if kind == 'bust' then booking.status = 'CANCELLED' end
append_event(journal, kind == 'bust' and 'conversion.busted' or 'conversion.changed', confirmation_id, now,
  conversion_state(booking) .. '|' .. earlier)
replace_booking(bookings, confirmation_id, booking)
write_positions(entry)
forget_values(bookings)
local shared = difference(new_share, share)
if has_settled and shared ~= '0' then post_share(client, confirmation_id, now, margin_currency, shared) end
repay_credits(client, balances, journal, confirmation_id, now)
redis.call('SET', adjustment, 'amend ' .. confirmation_id)
if not has_settled and kind == 'bust' then
  change_scheduled(scheduled, sell_currency, '-' .. sell)
  end_in_group(scheduled, client, confirmation_id, now)
  redis.call('ZREM', due, 'settle:' .. client .. ':' .. confirmation_id)
  redis.call('ZREM', overdue, sell_account .. '|' .. confirmation_id)
  redis.call('ZREM', overdue_into, buy_account .. '|' .. confirmation_id)
elseif not has_settled then
  change_scheduled(scheduled, sell_currency, string.format('%.0f', tonumber(new_sell) - tonumber(sell)))
  group_has_changed(scheduled, now)
  if status == 'OVERDUE' then put_due(due, now, 'settle:' .. client .. ':' .. confirmation_id) end
end
for _, account in ipairs(credited) do wake(overdue, due, client, account, now) end
return report_change({ 'amended', now, entry }, copied, sessions, report_to, confirmation_id, number)
