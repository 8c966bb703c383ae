-- Changes a conversion that has not settled, as its client asks by a quote. A cancellation charges the sell account with the difference to the
-- opposite deal, or pays a gain at its date (pay-gain.lua), with what of the margins no charge pays: what the account lacks of a charge becomes a receivable, with the margin and the share that it was to
-- pay. A change of date moves its due entry and its
-- position; one whose time has passed, or that is OVERDUE, keeps its date. A split books its children, whose amounts are those of the
-- conversion, exactly. The session that booked it, and those with copies, are notified.
-- Order: replay or REQUEST_ID_REUSED, the status that does not allow it, NOT_CHANGEABLE of a date, stage `quote`, changed, QUOTE_EXPIRED,
-- ACCOUNT_INACTIVE, stage `deal`, CREDIT_LIMIT, BALANCE_LIMIT.
-- Returns {'changed-to', at ms, journal entry, what is owed, ids of the children with spaces between them, CompIDs of the sessions that are
-- notified ...}, {'replayed', number of the change, record}, {'status', status or '' for no booking}, {'changed'}: it was amended since the
-- caller read it, {'no-exposure'}, {'no-room'}, or {'refused', code, text, limit of CREDIT_LIMIT}.
local now = step_now()
local known = receipt_of(receipt)
if known then
  if known.fingerprint ~= fingerprint then return { 'refused', 'REQUEST_ID_REUSED', '', '' } end
  local first = booking_of(bookings, known.id)
  return { 'replayed', known.more, first and first.member or '' }
end
local booking = booking_of(bookings, confirmation_id)
local status = booking and booking.status or ''
if status ~= 'OPEN' and status ~= 'OVERDUE' then return { 'status', status } end
local is_late = status == 'OVERDUE' or booking.afterwards == before and tonumber(now) >= tonumber(expiry_ms)
if kind == 'date' and is_late then return { 'refused', 'NOT_CHANGEABLE', '', '' } end
if stage == 'quote' then return { 'refused', refusal_code, refusal_text, '' } end
if booking.afterwards ~= before then return { 'changed' } end
if until_ms ~= '' and tonumber(now) > tonumber(until_ms) then return { 'refused', 'QUOTE_EXPIRED', '', '' } end

local is_cancelled, is_split, is_dated = kind == 'cancel', kind == 'split', kind == 'date'
local account, owed = booking.sell_account, '0'
if is_cancelled then
  local _, active = account_state(redis.call('HGET', accounts, account))
  if not active then return { 'refused', 'ACCOUNT_INACTIVE', '', '' } end
end
if stage == 'deal' then return { 'refused', refusal_code, refusal_text, '' } end
local limited = limits ~= '' and cjson.decode(limits)
local exceeded, judged = '', nil
-- A change of date is no deal of this second.
local deals = is_cancelled and 1 or 0
if limited then exceeded, judged = judge_deals(limited, bookings, now, deals) end
if exceeded == 'no-exposure' or exceeded == 'no-room' then return { exceeded } end
if exceeded ~= '' then return { 'refused', 'CREDIT_LIMIT', '', exceeded } end
if is_cancelled then
  for _, name in ipairs({ 'house:fx', 'house:margin', 'receivable' }) do
    if not house_has_room(balance_of(balances, sell_currency, name)) then return { 'refused', 'BALANCE_LIMIT', '', '' } end
  end
  if share ~= '0' and share_lacks(client, balances, sell_currency) then return { 'refused', 'BALANCE_LIMIT', '', '' } end
end

local copied = reported_sessions(drop_copies, sessions, report_to)
may_change_open(journal, scheduled, due, overdue, overdue_into)
may_change_group(scheduled)
may_append_event(journal)
must_be('zset', changes, 'changes of conversions')
if is_cancelled then
  may_owe(balances)
  must_be('zset', gains, 'gains that are paid later')
end
local entry_due = 'settle:' .. client .. ':' .. confirmation_id
local due_at = redis.call('ZSCORE', due, entry_due)
if not is_split then
  change_earlier_position(bookings, position, difference('', sell), difference('', buy), difference('', margin))
end
-- A charge is received by the house, a gain is given by it: profit or loss in that currency.
if is_cancelled then
  change_earlier_position(bookings, new_position, way == 'charge' and amount or '0', way == 'credit' and amount or '0', '0')
elseif is_dated then
  change_position(bookings, new_position, sell, buy, margin)
end
-- No refusal after this point. The ids of the children are determined first: the amendment names them.
local made, named, ids = is_split and cjson.decode(children) or {}, {}, {}
for i, child in ipairs(made) do
  local before_it = made[i - 1]
  local id = before_it and child.id or id_behind(bookings, child.id)
  if before_it and before_it.is_moved then id = next_id(before_it.id) end
  child.id, child.is_moved = id, id ~= child.id
  ids[i] = id
  named[i] = '{"id":"' .. id .. '","sell":"' .. child.sell .. '","buy":"' .. child.buy .. '","margin":"' .. child.margin .. '"}'
end
if is_split then amendment = string.sub(amendment, 1, -2) .. ',"children":[' .. table.concat(named, ',') .. ']}' end

local moves, margin_left, share_left = {}, 0, 0
if is_cancelled then
  if way == 'charge' then
    owed = beyond_balance(balances, sell_currency, account, amount)
    debit_or_owe(balances, moves, sell_currency, account, 'house:fx', amount, owed)
  else
    -- The statement shows when it is paid.
    if amount ~= '0' then moves[1] = sell_currency .. ' house:fx ' .. account .. ' 0' end
  end
  local own_margin = difference(deal_margin, share)
  margin_left, share_left = left_of(tonumber(owed), tonumber(own_margin), tonumber(share))
  share = difference(share, share_left)
  move(balances, moves, sell_currency, 'house:fx', 'house:margin', difference(own_margin, margin_left))
  move(balances, moves, sell_currency, 'house:fx', 'platform:margin', share)
end
local step = is_cancelled and 'unwind-fx' or is_dated and 'date-fx' or 'split-fx'
local entry = write_journal(journal, step, confirmation_id, now, moves, { hash = facts_hash(amendment), actor = 'client', reason = reason, sub = pays_on })
if owed ~= '0' then add_receivable(balances, sell_currency, entry, confirmation_id, owed, margin_left, share_left) end
if pays_at_ms ~= '' then
  redis.call('ZADD', gains, 0, confirmation_id .. '|' .. sell_currency .. '|' .. gain .. '|' .. gain_margin .. '|' .. gain_share)
  put_due(due, pays_at_ms, 'gain:' .. client .. ':' .. confirmation_id)
end
local earlier = conversion_state(booking)
booking.afterwards = (before == '' and '[' or string.sub(before, 1, -2) .. ',') .. string.sub(amendment, 1, -2) .. ',"atMs":' .. now
  .. ',"entry":"' .. entry .. '"' .. (is_cancelled and ',"receivable":"' .. owed .. '"' or '') .. '}]'
if is_cancelled then
  booking.status, booking.settled_at = 'CANCELLED', now
else
  booking.status = is_split and 'SPLIT' or 'OPEN'
end
replace_booking(bookings, confirmation_id, booking)
local event = is_cancelled and 'conversion.cancelled' or is_dated and 'conversion.changed' or 'conversion.split'
append_event(journal, event, confirmation_id, now, conversion_state(booking) .. '|' .. earlier)
if not is_split then write_positions(entry) end
if limited then
  write_judged(limited, judged, bookings, now, deals)
elseif is_cancelled then
  forget_values(bookings)
elseif is_dated then
  -- What is open in each currency stays: the house's room does too.
  forget_exposure(bookings)
end
if is_cancelled and share ~= '0' then post_share(client, confirmation_id, now, sell_currency, share) end
write_receipt(receipt, kept_ms, 'change', confirmation_id, fingerprint, kind, number)
add_to_index(changes, now, confirmation_id .. '.' .. number)

if is_cancelled then change_scheduled(scheduled, sell_currency, '-' .. sell) end
if not is_dated then end_in_group(scheduled, client, confirmation_id, now) end
if is_dated then put_due(due, settles_at_ms, entry_due) else redis.call('ZREM', due, entry_due) end
if status == 'OVERDUE' then
  redis.call('ZREM', overdue, account .. '|' .. confirmation_id)
  redis.call('ZREM', overdue_into, booking.buy_account .. '|' .. confirmation_id)
end
-- Those of an OVERDUE one are due at once: some may have their money.
if status == 'OVERDUE' then due_at = nil end
for _, child in ipairs(made) do
  local own = write_journal(journal, 'book-fx', child.id, now, {}, { hash = facts_hash(child.facts) })
  local its_entry = 'settle:' .. client .. ':' .. child.id
  -- What was read of the due list is in its own time.
  if due_at then redis.call('ZADD', due, due_at, its_entry) else put_due(due, now, its_entry) end
  write_booking(bookings, child.id, {
    status = 'OPEN', sell_account = account, buy_account = booking.buy_account, settled_at = '', entry = own, afterwards = '',
    facts = child.facts,
  })
  open_in_group(scheduled, client, child.id)
  append_event(journal, 'conversion.booked', child.id, now, 'OPEN||0')
end
local answer = { 'changed-to', now, entry, owed, table.concat(ids, ' ') }
report_change(answer, copied, sessions, report_to, confirmation_id, number)
for _, id in ipairs(ids) do
  if report_to ~= '' then add_to_outbox(outbox_of(sessions, report_to), 'child', id) end
  send_copies({}, copied, report_to, sessions, 'child-copy', id)
end
return answer
