-- Books a conversion: all of it or nothing.
-- KEYS: receipt, accounts, balances, booking, journal, hold, open holds, scheduled, due, overdue, drop copies, outbox, index, session.
-- ARGV: 1 createdAtMs of the facts or '', 2 fingerprint, 3 request id, 4 confirmation id, 5 client, 6 sell account or '', 7 sell currency or '', 8 buy account
-- or '', 9 buy currency or '', 10 stage of a refusal found before ('' or one of STAGES), 11 its code, 12 its text, 13 '1' to remember a
-- refusal, 14 settles at ms or '' (at once), 15 sell, 16 buy, 17 margin, 18 margin currency, 19 room for scheduled sells or '' (at once,
-- or not known), 20 hold id or '', 21 facts, 22 receipts kept ms, 23 outboxes of this client's sessions begin with, 24 CompID of the
-- session that asks or '', 25 bookings begin with, 26 by the server's clock, when the price is too old ms, or '' (a held one, not known),
-- 27 the epoch in which the caller has the session, or '' (it has let it go, or there is none), 28 type that it resolves to.
--
-- Order: replay or REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, ACCOUNT_CURRENCY, stage `amount` (SAME_CURRENCY to
-- AMOUNT_ABOVE_LIMIT), AMOUNT_ABOVE_LIMIT of scheduled sells, stage `date` (BAD_SETTLEMENT_DATE, MARKET_CLOSED), HOLD_NOT_FOUND, HOLD_USED,
-- HOLD_EXPIRED, stage `price` (HOLD_MISMATCH to RATE_MOVED), INSUFFICIENT_BALANCE, BALANCE_LIMIT.
-- Returns {'booked', outbox entry or '', sell account, buy account, status, CompIDs of the sessions that get a copy ...}, {'replayed', facts,
-- status, sell account, buy account, settled at}, {'refused', code, text, more}, {'refused-before', code, text, more} or {'taken-over'};
-- more is '<fingerprint of the first command> <its type or ''>' of REQUEST_ID_REUSED, '<balance> <needed> <currency>', '<hold> <its end
-- ms>', '<hold> released' or '<hold> withdrawn' for some codes.
local receipt, accounts, balances, booking, hold = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6]
local now, created, stage = step_now(), ARGV[1], ARGV[10]

local function refuse(code, text, more)
  if ARGV[13] == '1' then
    redis.call('HSET', receipt, 'fingerprint', ARGV[2], 'refusal', code, 'text', text or '', 'more', more or '',
      'type', ARGV[28])
    redis.call('PEXPIRE', receipt, ARGV[22])
  end
  return { 'refused', code, text or '', more or '' }
end

-- Another engine answers for the session by now: what this one knows of it is old.
if ARGV[27] ~= '' and not holds_session(KEYS[14], ARGV[27]) then return { 'taken-over' } end

local known = redis.call('HMGET', receipt, 'fingerprint', 'booking', 'refusal', 'text', 'more', 'type')
if known[1] then
  if known[1] ~= ARGV[2] then
    -- An older receipt has no type of its own: the booking has.
    local facts = not known[6] and known[2] and redis.call('HGET', ARGV[25] .. known[2], 'facts')
    local type = known[6] or facts and cjson.decode(facts).type or ''
    return { 'refused', 'REQUEST_ID_REUSED', '', known[1] .. ' ' .. type }
  end
  if known[3] then return { 'refused-before', known[3], known[4], known[5] or '' } end
  local first = redis.call('HMGET', ARGV[25] .. known[2], 'facts', 'status', 'sellAccount', 'buyAccount', 'settledAt')
  return { 'replayed', first[1], first[2], first[3], first[4], first[5] or '' }
end

local sell_account, buy_account = ARGV[6], ARGV[8]
if sell_account == '' or buy_account == '' then
  local defaults = redis.call('HMGET', accounts, 'default:' .. ARGV[7], 'default:' .. ARGV[9])
  if sell_account == '' then sell_account = defaults[1] or '' end
  if buy_account == '' then buy_account = defaults[2] or '' end
end
local records = redis.call('HMGET', accounts, sell_account, buy_account)
local sell_currency, sell_active = account_state(records[1])
local buy_currency, buy_active = account_state(records[2])
if not sell_currency or not buy_currency then return refuse('UNKNOWN_ACCOUNT') end
if not sell_active or not buy_active then return refuse('ACCOUNT_INACTIVE') end
if sell_currency ~= ARGV[7] or buy_currency ~= ARGV[9] then return refuse('ACCOUNT_CURRENCY') end
if stage == 'amount' then return refuse(ARGV[11], ARGV[12]) end

local scheduled = ARGV[14] ~= ''
if ARGV[19] ~= '' and tonumber(redis.call('HGET', KEYS[8], sell_currency) or '0') > tonumber(ARGV[19]) then
  return refuse('AMOUNT_ABOVE_LIMIT', 'Open scheduled sells would exceed your limit in ' .. sell_currency .. ': send less, or ask us')
end
if stage == 'date' then return refuse(ARGV[11], ARGV[12]) end

local holder
if ARGV[20] ~= '' then
  local found = redis.call('HMGET', hold, 'status', 'expiry', 'owner')
  holder = found[3]
  if not found[1] then return refuse('HOLD_NOT_FOUND') end
  if found[1] == 'used' then return refuse('HOLD_USED') end
  local is_over = found[1] == 'open' and tonumber(now) > tonumber(found[2]) or found[1] == 'expired'
  if is_over then return refuse('HOLD_EXPIRED', '', ARGV[20] .. ' ' .. found[2]) end
  if found[1] ~= 'open' then return refuse('HOLD_EXPIRED', '', ARGV[20] .. ' ' .. found[1]) end
end
-- It waited longer for us than its caller for the answer: nothing is remembered, and the same again is judged by a price of its own.
if ARGV[26] ~= '' and server_ms() > tonumber(ARGV[26]) then return { 'refused', 'RATE_UNAVAILABLE', '', '' } end
if stage == 'price' then return refuse(ARGV[11], ARGV[12]) end

local conversion = {
  sell_currency = sell_currency, sell_account = sell_account, sell = ARGV[15],
  buy_currency = buy_currency, buy_account = buy_account, buy = ARGV[16],
  margin_currency = ARGV[18], margin = ARGV[17],
}
if not scheduled then
  local lacks, available = conversion_lacks(balances, conversion)
  if lacks then return refuse(lacks, '', available and available .. ' ' .. ARGV[15] .. ' ' .. sell_currency) end
end

local is_held, copied = ARGV[20] ~= '', copied_sessions(KEYS[11], ARGV[23])
must_be('stream', KEYS[5], 'journal')
must_be('hash', booking, 'booking')
must_be('zset', KEYS[13], 'index of bookings')
if scheduled then must_be('hash', KEYS[8], 'open scheduled sells') else may_wake(KEYS[10], KEYS[9]) end
if scheduled or is_held then must_be('zset', KEYS[9], 'due list') end
if is_held then must_be('zset', KEYS[7], 'open holds') end
if ARGV[24] ~= '' then must_be('stream', KEYS[12], 'outbox of a session') end

-- From here on nothing may refuse.
local id, moves = ARGV[4], {}
if scheduled then
  redis.call('HINCRBY', KEYS[8], sell_currency, conversion.sell)
  redis.call('ZADD', KEYS[9], ARGV[14], 'settle:' .. ARGV[5] .. ':' .. id)
else
  move_conversion(balances, moves, conversion)
  wake(KEYS[10], KEYS[9], ARGV[5], buy_account, now)
end
local status = scheduled and 'OPEN' or 'SETTLED'
local settled_at = scheduled and '' or created
local journal_entry = write_journal(KEYS[5], 'book-fx', id, now, moves, nil, nil, 'hash', facts_hash(ARGV[21]))
redis.call('HSET', booking, 'facts', ARGV[21], 'status', status, 'sellAccount', sell_account, 'buyAccount', buy_account,
  'settledAt', settled_at, 'journal', journal_entry)
add_to_index(KEYS[13], created, id)
redis.call('HSET', receipt, 'fingerprint', ARGV[2], 'booking', id, 'type', ARGV[28])
redis.call('PEXPIRE', receipt, ARGV[22])
if is_held then
  redis.call('HSET', hold, 'status', 'used', 'booking', id)
  redis.call('PEXPIRE', hold, ARGV[22])
  redis.call('ZREM', KEYS[7], holder .. '|' .. ARGV[20])
  redis.call('ZREM', KEYS[9], 'hold:' .. ARGV[5] .. ':' .. ARGV[20])
end
local entry = ARGV[24] ~= '' and tell_session(KEYS[12], 'report', id) or ''
local answer = { 'booked', entry, sell_account, buy_account, status }
for _, comp_id in ipairs(copied) do
  if comp_id ~= ARGV[24] then
    tell_session(outbox_of(ARGV[23], comp_id), 'drop-copy', id)
    answer[#answer + 1] = comp_id
  end
end
return answer
