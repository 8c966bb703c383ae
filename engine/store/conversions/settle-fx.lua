-- Settles a scheduled conversion whose time has come, once. The house's position has had it since its booking.
-- A sandbox may force it before its time: `settled`, or refused with what it lacks; `overdue`, as if the money were missing.
-- Returns 'settled', 'overdue' (an account is inactive, lacks the money, or has no room), 'done' (nothing was left to do), 'early' (its
-- time has not come), 'changed' (it was amended since the caller read it) or what one that is forced to settle lacks.
local now = step_now()
local entry = 'settle:' .. client .. ':' .. confirmation_id
local booking = booking_of(bookings, confirmation_id)
local status = booking and booking.status
if status ~= 'OPEN' and status ~= 'OVERDUE' then
  redis.call('ZREM', due, entry)
  return 'done'
end
if forced == '' and not is_due(due, entry, now) then return 'early' end
if booking.afterwards ~= before then return 'changed' end
may_wake(overdue, due)
may_append_event(journal)
must_be('zset', overdue, 'overdue conversions')
must_be('stream', journal, 'journal')
must_be('hash', scheduled, 'open scheduled sells')
may_change_group(scheduled)
must_be('zset', overdue_into, 'overdue conversions by the account bought into')
local sell_account, buy_account, earlier = booking.sell_account, booking.buy_account, conversion_state(booking)
local has_share = share ~= '' and share ~= '0'
local conversion = {
  sell_currency = sell_currency, sell_account = sell_account, sell = sell,
  buy_currency = buy_currency, buy_account = buy_account, buy = buy,
  margin_currency = margin_currency, margin = has_share and difference(margin, share) or margin,
}
local lacks = is_inactive(accounts, sell_account, buy_account) and 'ACCOUNT_INACTIVE' or conversion_lacks(balances, conversion)
if not lacks and has_share and share_lacks(client, balances, margin_currency) then lacks = 'BALANCE_LIMIT' end
if not lacks then may_repay(client, balances, buy_currency, buy_account, buy) end
if lacks and forced == 'settled' then return lacks end
if forced == 'overdue' then lacks = 'SANDBOX' end
local by = forced ~= '' and { actor = 'sandbox', reason = lacks or reason } or nil
if lacks then
  put_due(due, later(now, retry_ms), entry)
  redis.call('ZADD', overdue, 0, sell_account .. '|' .. confirmation_id)
  redis.call('ZADD', overdue_into, 0, buy_account .. '|' .. confirmation_id)
  if status == 'OPEN' then
    booking.status = 'OVERDUE'
    replace_booking(bookings, confirmation_id, booking)
    write_journal(journal, 'overdue-fx', confirmation_id, now, {}, by or { actor = 'service', reason = lacks })
    append_event(journal, 'conversion.overdue', confirmation_id, now, conversion_state(booking) .. '|' .. earlier)
  end
  return 'overdue'
end

local moves = {}
move_conversion(balances, moves, conversion)
if has_share then move(balances, moves, margin_currency, 'house:fx', 'platform:margin', share) end
write_journal(journal, 'settle-fx', confirmation_id, now, moves, by)
if has_share then post_share(client, confirmation_id, now, margin_currency, share) end
repay_credits(client, balances, journal, confirmation_id, now)
booking.status, booking.settled_at = 'SETTLED', now
append_event(journal, 'conversion.settled', confirmation_id, now, conversion_state(booking) .. '|' .. earlier)
replace_booking(bookings, confirmation_id, booking)
change_scheduled(scheduled, sell_currency, '-' .. sell)
end_in_group(scheduled, client, confirmation_id, now)
redis.call('ZREM', due, entry)
wake(overdue, due, client, buy_account, now)
if status == 'OVERDUE' then
  redis.call('ZREM', overdue, sell_account .. '|' .. confirmation_id)
  redis.call('ZREM', overdue_into, buy_account .. '|' .. confirmation_id)
  wake(overdue, due, client, sell_account, now)
  wake_overdue(overdue_into, due, client, buy_account, now)
end
return 'settled'
