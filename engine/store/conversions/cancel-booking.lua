-- Cancels a scheduled conversion that has not settled. With a close-out, an OVERDUE one: a cost is charged to the buy account, and what the
-- account lacks to the client's receivable account; a gain is credited to the buy account. The session that booked it, and those with copies,
-- are notified.
-- Order: the status that does not allow it, changed, ACCOUNT_INACTIVE, BALANCE_LIMIT.
-- Returns {'cancelled', what is owed, at ms, CompIDs of the sessions that are notified ...}, {'status', status or '' for no booking}, {'changed'}: it was amended since the caller read it, or {'refused', code}.
local booking, now = booking_of(bookings, confirmation_id), step_now()
local status = booking and booking.status
if status ~= 'OVERDUE' and (status ~= 'OPEN' or kind ~= '') then return { 'status', status or '' } end
if booking.afterwards ~= before then return { 'changed' } end

local account, owed, moves = booking.buy_account, '0', {}
if kind ~= '' then
  local _, active = account_state(redis.call('HGET', accounts, account))
  if not active then return { 'refused', 'ACCOUNT_INACTIVE' } end
  for _, name in ipairs({ 'house:fx', 'receivable' }) do
    if not house_has_room(balance_of(balances, currency, name)) then return { 'refused', 'BALANCE_LIMIT' } end
  end
  if kind == 'credit' and not has_room(balance_of(balances, currency, account), amount) then return { 'refused', 'BALANCE_LIMIT' } end
end

local copied = reported_sessions(drop_copies, sessions, report_to)
may_change_open(journal, scheduled, due, overdue, overdue_into)
may_change_group(scheduled)
may_append_event(journal)
if kind == 'charge' then may_owe(balances) end
if kind == 'credit' then
  may_wake_payments(overdue)
  may_repay(client, balances, currency, account, amount)
end
change_earlier_position(bookings, position, difference('', sell), difference('', buy), difference('', margin))
-- A charge is received by the house, a credit is given by it: profit or loss in that currency.
if kind ~= '' then
  change_earlier_position(bookings, close_out_position, kind == 'charge' and amount or '0', kind == 'credit' and amount or '0', '0')
end
-- No refusal after this point.
if kind == 'charge' then
  owed = beyond_balance(balances, currency, account, amount)
  debit_or_owe(balances, moves, currency, account, 'house:fx', amount, owed)
elseif kind == 'credit' then
  move(balances, moves, currency, 'house:fx', account, amount)
end
local entry = write_journal(journal, kind == '' and 'cancel-fx' or 'close-out-fx', confirmation_id, now, moves,
  { actor = actor, reason = reason })
if owed ~= '0' then add_receivable(balances, currency, entry, confirmation_id, owed, 0, 0) end
local earlier = conversion_state(booking)
booking.status, booking.settled_at = 'CANCELLED', now
if kind ~= '' then
  local closed_out = string.sub(close_out, 1, -2) .. ',"receivable":"' .. owed .. '"}'
  booking.afterwards = (before == '' and '[' or string.sub(before, 1, -2) .. ',') .. closed_out .. ']'
end
replace_booking(bookings, confirmation_id, booking)
append_event(journal, 'conversion.cancelled', confirmation_id, now, conversion_state(booking) .. '|' .. earlier)
write_positions(entry)
forget_values(bookings)
change_scheduled(scheduled, sell_currency, '-' .. sell)
end_in_group(scheduled, client, confirmation_id, now)
redis.call('ZREM', due, 'settle:' .. client .. ':' .. confirmation_id)
redis.call('ZREM', overdue, booking.sell_account .. '|' .. confirmation_id)
redis.call('ZREM', overdue_into, account .. '|' .. confirmation_id)
repay_credits(client, balances, journal, confirmation_id, now)
if kind == 'credit' then wake(overdue, due, client, account, now) end
return report_change({ 'cancelled', owed, now }, copied, sessions, report_to, confirmation_id, number)
