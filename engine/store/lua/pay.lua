-- Creates a payment, or gives one that awaits its funds what it waited for: conversions and payment, all of it or nothing.
-- KEYS: 1 transaction number, 2 receipt, 3 accounts, 4 balances, 5 payment, 6 journal, 7 waiting, 8 due, 9 overdue, 10 hold, 11 open holds,
-- 12 drop copies, 13 work, 14 index of payments, 15 index of bookings.
-- ARGV: 1 'create' or 'fund', 2 createdAtMs of new facts, 3 client, 4 payment id, 5 request id, 6 source account or '', 7 its currency or '' (none of the
-- client's), 8 payment currency, 9 number for an account in it, if the client has none, 10 stage of a refusal found before ('' or one of
-- `amount`, `price`), 11 its code, 12 its text, 13 hold id or '', 14 facts, 15 plan (JSON; see below) or '' when it has to wait, 16
-- what it may draw on, as in payments.lua, `own` for the account that pays, 17 when it is given up ms, 18 receipts kept ms, 19 bookings begin with, 20 outboxes of this
-- client's sessions begin with, 21 how many may wait,
-- 22 by the server's clock, when the prices of its conversions are too old ms, or '' (none, or held ones, or not known), 23 card numbers, encrypted, or ''.
-- Plan: {amount, total, transit, fees, sells = {{id, account, currency, sell, buy, margin, marginCurrency, facts, hold}}}.
--
-- Order: duplicate, REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, stage `amount`, HOLD_NOT_FOUND, HOLD_USED, HOLD_EXPIRED, stage
-- `price`, stale, BALANCE_LIMIT, INSUFFICIENT_BALANCE (too many wait).
-- Returns {'paid', account, at ms, CompIDs of the sessions that get a copy ...}, {'waits', account, at ms}, {'duplicate', payment id, status,
-- request id},
-- {'refused', code, text, more}, {'stale'}: an account does not cover its part any more, or a price is too old; for
-- 'fund' also {'gone', status}, {'short'}, {'blocked'}, {'hold-over'}.
local is_new = ARGV[1] == 'create'
local now, planned, client, id, currency = step_now(), ARGV[2], ARGV[3], ARGV[4], ARGV[8]
-- A new payment has been updated when it was created, and not a millisecond later.
local at = is_new and planned or now
local accounts, balances, payment, hold = KEYS[3], KEYS[4], KEYS[5], KEYS[10]

local function refuse(code, text, more) return { 'refused', code, text or '', more or '' } end
-- One that waits keeps nothing from others meanwhile.
local function refuse_inactive()
  if not is_new then waits_for(KEYS[7], id, 'none') end
  return refuse('ACCOUNT_INACTIVE')
end

if is_new then
  local known = redis.call('GET', KEYS[1])
  if known then
    local first = redis.call('HMGET', string.sub(payment, 1, -#id - 1) .. known, 'status', 'requestId')
    return { 'duplicate', known, first[1] or '', first[2] or '' }
  end
  if redis.call('EXISTS', KEYS[2]) == 1 then return refuse('REQUEST_ID_REUSED') end
else
  local status = redis.call('HGET', payment, 'status')
  if status ~= 'AWAITING_FUNDS' then return { 'gone', status or '' } end
end

if ARGV[6] ~= '' then
  local named, active = account_state(redis.call('HGET', accounts, ARGV[6]))
  if not named or named ~= ARGV[7] then return refuse('UNKNOWN_ACCOUNT') end
  if not active then return refuse_inactive() end
end
local account = ARGV[7] == currency and ARGV[6] or redis.call('HGET', accounts, 'default:' .. currency) or ''
if account ~= '' then
  local _, active = account_state(redis.call('HGET', accounts, account))
  if not active then return refuse_inactive() end
end
local draws = string.gsub(ARGV[16], 'own', account ~= '' and account or ARGV[9])
if ARGV[10] == 'amount' then return refuse(ARGV[11], ARGV[12]) end

if ARGV[13] ~= '' then
  local found = redis.call('HMGET', hold, 'status', 'expiry')
  local is_over = found[1] ~= 'open' or tonumber(now) > tonumber(found[2])
  if is_over and not is_new then
    hold_is_over(KEYS[7], payment, id, now)
    return { 'hold-over' }
  end
  if not found[1] then return refuse('HOLD_NOT_FOUND') end
  if found[1] == 'used' then return refuse('HOLD_USED') end
  if is_over then
    local ended = found[1] == 'open' or found[1] == 'expired'
    return refuse('HOLD_EXPIRED', '', ARGV[13] .. ' ' .. (ended and found[2] or found[1]))
  end
end
if ARGV[10] == 'price' then return refuse(ARGV[11], ARGV[12]) end

local plan = ARGV[15] ~= '' and cjson.decode(ARGV[15])
local taken, bought = {}, 0
for i, sell in ipairs(plan and plan.sells or {}) do
  taken[i], bought = sell.account, bought + tonumber(sell.buy)
end
-- What conversions buy for it keeps nothing from other payments.
if plan and bought < tonumber(plan.total) then taken[#taken + 1] = account end
local must_wait = not plan or is_behind(KEYS[7], id, accounts, taken)
if must_wait and not is_new then
  -- It may draw on other accounts than when it came.
  waits_for(KEYS[7], id, draws)
  return { plan and 'blocked' or 'short' }
end

if not must_wait then
  -- It waited longer for us than its caller for the answer.
  if ARGV[22] ~= '' and server_ms() > tonumber(ARGV[22]) then return { 'stale' } end
  local arrives = '0'
  for _, sell in ipairs(plan.sells) do
    local named, active = account_state(redis.call('HGET', accounts, sell.account))
    if named ~= sell.currency or not active then return { 'stale' } end
    if tonumber(balance_of(balances, sell.currency, sell.account)) < tonumber(sell.sell) then return { 'stale' } end
    if tonumber(arrives) + tonumber(sell.buy) > BALANCE_MAX then return refuse('BALANCE_LIMIT') end
    arrives = string.format('%.0f', tonumber(arrives) + tonumber(sell.buy))
    for _, name in ipairs({ sell.currency .. '/house:fx', currency .. '/house:fx', sell.marginCurrency .. '/house:margin' }) do
      if not house_has_room(redis.call('HGET', balances, name)) then return refuse('BALANCE_LIMIT') end
    end
  end
  local balance = account ~= '' and balance_of(balances, currency, account) or '0'
  if not has_room(balance, arrives) then return refuse('BALANCE_LIMIT') end
  -- Both below 10^15: their sum is exact.
  if tonumber(balance) + tonumber(arrives) < tonumber(plan.total) then return { 'stale' } end
  for _, name in ipairs({ 'transit', 'house:fees' }) do
    if not house_has_room(balance_of(balances, currency, name)) then return refuse('BALANCE_LIMIT') end
  end
elseif is_new and redis.call('ZCARD', KEYS[7]) >= tonumber(ARGV[21]) then
  return refuse('INSUFFICIENT_BALANCE', ARGV[21] .. ' payments await funds already: fund the accounts first')
end

local told = copied_sessions(KEYS[12], ARGV[20])
must_be('hash', balances, 'balances')
must_be('hash', payment, 'payment')
must_be('stream', KEYS[6], 'journal')
must_be('zset', KEYS[7], 'queue of waiting payments')
must_be('zset', KEYS[8], 'due list')
may_wake_payments(KEYS[9])
must_be('zset', KEYS[14], 'index of payments')
if not must_wait and #plan.sells > 0 then
  must_be('zset', KEYS[11], 'open holds')
  must_be('zset', KEYS[15], 'index of bookings')
  for _, sell in ipairs(plan.sells) do must_be('hash', ARGV[19] .. sell.id, 'booking') end
end

-- From here on nothing may refuse.
if account == '' then
  account = ARGV[9]
  redis.call('HSET', accounts, account, currency .. ' 1 0 ', 'default:' .. currency, account)
  redis.call('HSETNX', balances, currency .. '/' .. account, '0')
end
if is_new then
  redis.call('SET', KEYS[1], id)
  redis.call('HSET', KEYS[2], 'fingerprint', 'payment', 'payment', id)
  redis.call('PEXPIRE', KEYS[2], ARGV[18])
  add_to_index(KEYS[14], planned, id)
  redis.call('HSET', payment, 'facts', ARGV[14], 'requestId', ARGV[5], 'step', '0', 'attempts', '0')
  if ARGV[23] ~= '' then redis.call('HSET', payment, 'cards', ARGV[23]) end
end
redis.call('HSET', payment, 'account', account)

if must_wait then
  local last = redis.call('ZRANGE', KEYS[7], -1, -1, 'WITHSCORES')
  redis.call('ZADD', KEYS[7], (tonumber(last[2]) or 0) + 1, id .. '|' .. draws)
  redis.call('ZADD', KEYS[8], ARGV[17], 'expire:' .. client .. ':' .. id)
  payment_step(payment, KEYS[6], id, at, 'AWAITING_FUNDS', '', '', {}, 'client', '',
    facts_hash(ARGV[14]))
  -- Money may have come between the look at the balances and now.
  wake_payments(KEYS[9], client)
  return { 'waits', account, at }
end

local ids = {}
for _, sell in ipairs(plan.sells) do
  local moves = {}
  move_conversion(balances, moves, {
    sell_currency = sell.currency, sell_account = sell.account, sell = sell.sell,
    buy_currency = currency, buy_account = account, buy = sell.buy,
    margin_currency = sell.marginCurrency, margin = sell.margin,
  })
  local entry = write_journal(KEYS[6], 'book-fx', sell.id, now, moves, nil, nil, 'hash', facts_hash(sell.facts))
  redis.call('HSET', ARGV[19] .. sell.id, 'facts', sell.facts, 'status', 'SETTLED', 'sellAccount', sell.account, 'buyAccount', account,
    'settledAt', planned, 'journal', entry)
  add_to_index(KEYS[15], planned, sell.id)
  if sell.hold ~= '' then
    local owner = redis.call('HGET', hold, 'owner')
    redis.call('HSET', hold, 'status', 'used', 'booking', sell.id)
    redis.call('PEXPIRE', hold, ARGV[18])
    redis.call('ZREM', KEYS[11], owner .. '|' .. sell.hold)
    redis.call('ZREM', KEYS[8], 'hold:' .. client .. ':' .. sell.hold)
  end
  for _, comp_id in ipairs(told) do tell_session(outbox_of(ARGV[20], comp_id), 'drop-copy', sell.id) end
  ids[#ids + 1] = sell.id
end
local moves = {}
move(balances, moves, currency, account, 'transit', plan.transit)
move(balances, moves, currency, account, 'house:fees', plan.fees)
redis.call('HSET', payment, 'amount', plan.amount, 'toTransit', plan.transit, 'toFees', plan.fees, 'bookings', table.concat(ids, ' '))
if not is_new then
  leave_queue(KEYS[7], id)
  redis.call('ZREM', KEYS[8], 'expire:' .. client .. ':' .. id)
end
local step = payment_step(payment, KEYS[6], id, at, 'IN_PROCESS', '', '', moves, is_new and 'client' or 'service', is_new and '' or 'funds came',
  is_new and facts_hash(ARGV[14]))
redis.call('HSET', payment, 'busy', step)
put_work(KEYS[13], 'client', client, 'payment', id, 'step', step)
-- Those behind it may be able to go on with what is left.
if not is_new then wake_payments(KEYS[9], client) end
local answer = { 'paid', account, at }
for _, comp_id in ipairs(#ids > 0 and told or {}) do answer[#answer + 1] = comp_id end
return answer
