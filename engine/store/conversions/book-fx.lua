-- Books a conversion atomically.
-- Order: replay or REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, ACCOUNT_CURRENCY, stage `amount` (SAME_CURRENCY to
-- AMOUNT_ABOVE_LIMIT), AMOUNT_ABOVE_LIMIT of scheduled sells, stage `date` (BAD_SETTLEMENT_DATE, MARKET_CLOSED), HOLD_NOT_FOUND, HOLD_USED,
-- HOLD_EXPIRED, stage `price` (HOLD_MISMATCH to RATE_MOVED, and CREDIT_LIMIT of a single deal), CREDIT_LIMIT, INSUFFICIENT_BALANCE,
-- BALANCE_LIMIT.
-- Returns {'booked', outbox entry or '', sell account, buy account, status, confirmation id, CompIDs of the sessions that get a copy ...},
-- {'replayed', record}, {'no-exposure'}, {'no-room'}, {'refused', code, text, more}, {'refused-before', code, text, more} or {'taken-over'}; more is '<fingerprint of the first command> <its type or ''>' of REQUEST_ID_REUSED, '<balance> <needed> <currency>',
-- the limit of CREDIT_LIMIT, '<hold> <its end ms>', '<hold> released' or '<hold> withdrawn' for some codes.
local now = step_now()

local function refuse(code, text, more)
  if remember_refusal == '1' then
    write_receipt(receipt, kept_ms, 'refusal', code, fingerprint, type, more, text)
  end
  return { 'refused', code, text or '', more or '' }
end

-- Another engine has claimed the session: the caller's state of it is outdated.
if epoch ~= '' and not holds_session(session, epoch) then return { 'taken-over' } end

local known = receipt_of(receipt)
if known then
  if known.fingerprint ~= fingerprint then return { 'refused', 'REQUEST_ID_REUSED', '', known.fingerprint .. ' ' .. known.type } end
  if known.kind == 'refusal' then return { 'refused-before', known.id, known.text, known.more } end
  local first = booking_of(bookings, known.id)
  return { 'replayed', first and first.member or '' }
end

if sell_account == '' or buy_account == '' then
  local defaults = redis.call('HMGET', accounts, 'default:' .. sell_currency, 'default:' .. buy_currency)
  if sell_account == '' then sell_account = defaults[1] or '' end
  if buy_account == '' then buy_account = defaults[2] or '' end
end
local records = redis.call('HMGET', accounts, sell_account, buy_account)
local kept_sell, sell_active = account_state(records[1])
local kept_buy, buy_active = account_state(records[2])
if not kept_sell or not kept_buy then return refuse('UNKNOWN_ACCOUNT') end
if not sell_active or not buy_active then return refuse('ACCOUNT_INACTIVE') end
if kept_sell ~= sell_currency or kept_buy ~= buy_currency then return refuse('ACCOUNT_CURRENCY') end
if stage == 'amount' then return refuse(refusal_code, refusal_text) end

local is_scheduled = settles_at_ms ~= ''
if scheduled_room ~= '' and tonumber(redis.call('HGET', scheduled, sell_currency) or '0') > tonumber(scheduled_room) then
  return refuse('AMOUNT_ABOVE_LIMIT', 'Open scheduled sells would exceed your limit in ' .. sell_currency .. ': send less, or ask us')
end
if group_room ~= '' and tonumber(redis.call('HGET', group_key(scheduled, 'scheduled'), sell_currency) or '0') > tonumber(group_room) then
  return refuse('AMOUNT_ABOVE_LIMIT', 'Open scheduled sells of a platform and its sub-clients together would exceed its limit in ' .. sell_currency
    .. ': send less, or ask us')
end
if stage == 'date' then return refuse(refusal_code, refusal_text) end

local holder
if hold_id ~= '' then
  local found = redis.call('HMGET', hold, 'status', 'expiry', 'owner')
  holder = found[3]
  if not found[1] then return refuse('HOLD_NOT_FOUND') end
  local is_late = tonumber(now) > tonumber(found[2])
  if found[1] == 'used' or found[1] == 'reserved' and not is_late then return refuse('HOLD_USED') end
  local is_over = (found[1] == 'open' or found[1] == 'reserved') and is_late or found[1] == 'expired'
  if is_over then return refuse('HOLD_EXPIRED', '', hold_id .. ' ' .. found[2]) end
  if found[1] ~= 'open' then return refuse('HOLD_EXPIRED', '', hold_id .. ' ' .. found[1]) end
end
-- The step arrived after its caller's timeout: nothing is stored, and a repeated command is checked at a price of its own.
if latest_ms ~= '' and server_ms() > tonumber(latest_ms) then return { 'refused', 'RATE_UNAVAILABLE', '', '' } end
if stage == 'price' then return refuse(refusal_code, refusal_text) end
if is_scheduled and owes(balances) then return refuse('CREDIT_LIMIT', '', 'receivable') end
local limited = limits ~= '' and cjson.decode(limits)
local exceeded, judged = '', nil
if limited then exceeded, judged = judge_deals(limited, bookings, now, 1) end
if exceeded == 'no-exposure' or exceeded == 'no-room' then return { exceeded } end
if exceeded ~= '' then return refuse('CREDIT_LIMIT', '', exceeded) end

local has_share = share ~= '' and share ~= '0'
local conversion = {
  sell_currency = sell_currency, sell_account = sell_account, sell = sell,
  buy_currency = buy_currency, buy_account = buy_account, buy = buy,
  margin_currency = margin_currency, margin = has_share and difference(margin, share) or margin,
}
-- The exposure of a sub-client's platform is another one.
local is_of_platform = string.find(client, '~', 1, true)
local attached = is_of_platform and 2 or count_attached(drop_copies, overdue, exposure, slot_tag .. ':room', events)
conversion.spares_owed = attached > 0
local repays = false
if not is_scheduled then
  local lacks, available = conversion_lacks(balances, conversion)
  if lacks then return refuse(lacks, '', available and available .. ' ' .. sell .. ' ' .. sell_currency) end
  if has_share and share_lacks(client, balances, margin_currency) then return refuse('BALANCE_LIMIT') end
  repays = attached > 0 and known_balances[buy_currency .. '/receivable'] ~= '0'
  if repays then may_repay(client, balances, buy_currency, buy_account, buy) end
end

local is_held = hold_id ~= ''
local copied = {}
local has_subscriber = attached > 0 and may_append_event(journal)
-- Alone: nothing but events.
local alone = attached == 0 or attached == 1 and has_subscriber
nothing_waits = alone
if not alone then
  copied = copied_sessions(drop_copies, sessions)
  if not is_scheduled then may_wake(overdue, due) end
end
if is_scheduled then
  must_be('hash', scheduled, 'open scheduled sells')
  may_change_group(scheduled)
end
if is_scheduled or is_held then must_be('zset', due, 'due list') end
if is_held then may_end_hold(open_holds, hold_id) end
if asking_comp_id ~= '' then must_be('stream', outbox, 'outbox of a session') end
change_position(bookings, position, sell, buy, margin)

-- No refusal after this point. The first write is the journal's: it checks the type by itself. id_behind has read the bookings before.
confirmation_id = id_behind(bookings, confirmation_id)
local moves = {}
if not is_scheduled then
  move_conversion(balances, moves, conversion)
  if has_share then move(balances, moves, margin_currency, 'house:fx', 'platform:margin', share) end
end
local status = is_scheduled and 'OPEN' or 'SETTLED'
local journal_entry = write_journal(journal, 'book-fx', confirmation_id, now, moves, { hash = facts_hash(facts) })
if repays then repay_credits(client, balances, journal, confirmation_id, now) end
if is_scheduled then
  change_scheduled(scheduled, sell_currency, sell)
  open_in_group(scheduled, client, confirmation_id)
  put_due(due, settles_at_ms, 'settle:' .. client .. ':' .. confirmation_id)
else
  wake(overdue, due, client, buy_account, now)
end
write_booking(bookings, confirmation_id, {
  status = status, sell_account = sell_account, buy_account = buy_account, settled_at = '', entry = journal_entry, afterwards = '',
  facts = facts,
})
write_positions(journal_entry)
if has_share and not is_scheduled then post_share(client, confirmation_id, now, margin_currency, share) end
write_receipt(receipt, kept_ms, 'booking', confirmation_id, fingerprint, type)
if limited then write_judged(limited, judged, bookings, now, 1) elseif not alone then forget_values(bookings) end
if is_held then
  redis.call('HSET', hold, 'status', 'used', 'booking', confirmation_id)
  redis.call('PEXPIRE', hold, has_subscriber and hold_kept_ms(journal, kept_ms) or kept_ms)
  end_hold(open_holds, holder, hold_id)
  redis.call('ZREM', due, 'hold:' .. client .. ':' .. hold_id)
end
local entry = asking_comp_id ~= '' and add_to_outbox(outbox, 'report', confirmation_id) or ''
local answer = { 'booked', entry, sell_account, buy_account, status, confirmation_id }
if has_subscriber then
  append_event(journal, 'conversion.booked', confirmation_id, now, status .. '||0')
  if is_held then append_event(journal, 'hold.used', hold_id, now, 'used|open') end
end
if not alone then send_copies(answer, copied, asking_comp_id, sessions, 'drop-copy', confirmation_id) end
return answer
