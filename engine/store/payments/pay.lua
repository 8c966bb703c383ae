-- Creates a payment, or funds a waiting one: conversions and payment, atomically. An item of a batch, `queued`, is drawn from the batch's
-- reserve to the source account in the same step, once, and never waits.
-- The plan is JSON: {amount, total, transit, fees, limits, sells = {{id, account, currency, sell, buy, margin, share, marginCurrency, facts, position, hold}}}; a share is above 0.
-- Order: duplicate, REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, stage `amount`, HOLD_NOT_FOUND, HOLD_USED, HOLD_EXPIRED, stage
-- `price` (also CREDIT_LIMIT of a single deal), CREDIT_LIMIT of all its conversions together, stale, BALANCE_LIMIT, INSUFFICIENT_BALANCE (too many wait).
-- Returns {'paid', account, at ms, ids of the conversions, CompIDs of the sessions that get a copy ...}, {'waits', account, at ms}, {'duplicate', payment id,
-- status, request id}, {'refused', code, text, more}, {'no-exposure'}, {'no-room'}, {'stale'}: an account no longer covers its part, or a price is too old; for 'fund'
-- also {'gone', status}, {'short'}, {'blocked'}, {'hold-over'}.
local is_new, now = mode == 'create', step_now()
-- Of a waiting payment.
local state
-- The update time of a new payment is its time of creation, not a millisecond later.
local at = is_new and created_at_ms or now

local function refuse(code, text, more) return { 'refused', code, text or '', more or '' } end
-- Meanwhile a waiting payment reserves nothing.
local function refuse_inactive()
  if not is_new then waits_for(waiting, payment_id, 'none') end
  return refuse('ACCOUNT_INACTIVE')
end

-- The account has the item's part of the reserve by the time that anything is taken from it.
local of_batch, reserve = nil, 0
if queued ~= '' then
  of_batch = batch_keys(overdue, batch_id)
  if not redis.call('ZSCORE', of_batch.queue, queued) then return { 'gone', '' } end
  reserve = tonumber(string.match(queued, '^%d+|[^|]*|(%d+)|'))
end

if is_new then
  local known = redis.call('GET', transaction)
  if known then
    local first = string.sub(payment, 1, -#payment_id - 1) .. known
    local found = payment_state(first)
    return { 'duplicate', known, found and found.status or '', found and request_of(redis.call('HGET', first, 'f')) or '' }
  end
  if receipt_of(receipt) then return refuse('REQUEST_ID_REUSED') end
else
  state = payment_state(payment)
  if not state or state.status ~= 'AWAITING_FUNDS' then return { 'gone', state and state.status or '' } end
end

if source_account ~= '' then
  local named, active = account_state(redis.call('HGET', accounts, source_account))
  if not named or named ~= source_currency then return refuse('UNKNOWN_ACCOUNT') end
  if not active then return refuse_inactive() end
end
local account = source_currency == currency and source_account or redis.call('HGET', accounts, 'default:' .. currency) or ''
if account ~= '' then
  local _, active = account_state(redis.call('HGET', accounts, account))
  if not active then return refuse_inactive() end
end
draws = string.gsub(draws, 'own', account ~= '' and account or new_account)
if stage == 'amount' then return refuse(refusal_code, refusal_text) end

if hold_id ~= '' then
  local found = redis.call('HMGET', hold, 'status', 'expiry', 'payment')
  if found[1] == 'reserved' and found[3] == payment_id then found[1] = 'open' end
  local is_late = found[1] and tonumber(now) > tonumber(found[2])
  local is_over = found[1] ~= 'open' or is_late
  if is_over and not is_new then
    hold_is_over(waiting, payment, payment_id, now)
    return { 'hold-over' }
  end
  if not found[1] then return refuse('HOLD_NOT_FOUND') end
  if found[1] == 'used' or found[1] == 'reserved' and not is_late then return refuse('HOLD_USED') end
  if is_over then
    local ended = found[1] ~= 'released' and found[1] ~= 'withdrawn'
    return refuse('HOLD_EXPIRED', '', hold_id .. ' ' .. (ended and found[2] or found[1]))
  end
end
if stage == 'price' then return refuse(refusal_code, refusal_text) end

local plan = plan_text ~= '' and cjson.decode(plan_text)
local taken, bought = {}, 0
for i, sell in ipairs(plan and plan.sells or {}) do
  taken[i], bought = sell.account, bought + tonumber(sell.buy)
end
-- The amount that conversions buy for it is not reserved by other payments.
if plan and bought < tonumber(plan.total) then taken[#taken + 1] = account end
-- What is reserved for an item is no other payment's.
local must_wait = not plan or (not of_batch and is_behind(waiting, payment_id, accounts, taken))
-- Planned without a look at the accounts: only one that exists pays.
if is_new and account == '' and new_account == '' then return { 'stale' } end
if must_wait and not is_new then
  -- It may draw on other accounts than at its creation.
  waits_for(waiting, payment_id, draws)
  return { plan and 'blocked' or 'short' }
end

local judged
if not must_wait then
  -- The step arrived after its caller's timeout.
  if latest_ms ~= '' and server_ms() > tonumber(latest_ms) then return { 'stale' } end
  local exceeded = ''
  if plan.limits then exceeded, judged = judge_deals(plan.limits, bookings, now, #plan.sells) end
  if exceeded == 'no-exposure' or exceeded == 'no-room' then return { exceeded } end
  if exceeded ~= '' then return refuse('CREDIT_LIMIT', '', exceeded) end
  local arrives = '0'
  for _, sell in ipairs(plan.sells) do
    local named, active = account_state(redis.call('HGET', accounts, sell.account))
    if named ~= sell.currency or not active then return { 'stale' } end
    local drawn = sell.account == source_account and reserve or 0
    if tonumber(free_balance(balances, sell.currency, sell.account)) + drawn < tonumber(sell.sell) then return { 'stale' } end
    if tonumber(arrives) + tonumber(sell.buy) > BALANCE_MAX then return refuse('BALANCE_LIMIT') end
    arrives = string.format('%.0f', tonumber(arrives) + tonumber(sell.buy))
    local names = { sell.currency .. '/house:fx', currency .. '/house:fx', sell.marginCurrency .. '/house:margin' }
    read_balances(balances, names)
    for _, name in ipairs(names) do if not house_has_room(known_balances[name]) then return refuse('BALANCE_LIMIT') end end
    if sell.share and share_lacks(client, balances, sell.marginCurrency) then return refuse('BALANCE_LIMIT') end
  end
  local balance = account ~= '' and balance_of(balances, currency, account) or '0'
  if not has_room(balance, arrives) then return refuse('BALANCE_LIMIT') end
  -- Each below 10^15: their sum is exact.
  local drawn = account == source_account and reserve or 0
  local free = account ~= '' and free_balance(balances, currency, account) or '0'
  if tonumber(free) + drawn + tonumber(arrives) < tonumber(plan.total) then return { 'stale' } end
  for _, name in ipairs({ 'transit', 'house:fees' }) do
    if not house_has_room(balance_of(balances, currency, name)) then return refuse('BALANCE_LIMIT') end
  end
elseif of_batch then
  return refuse('INSUFFICIENT_BALANCE', 'The reserve of this item does not cover it')
elseif is_new and redis.call('ZCARD', waiting) >= tonumber(waiting_max) then
  return refuse('INSUFFICIENT_BALANCE', waiting_max .. ' payments await funds already: fund the accounts first')
end

local copied = copied_sessions(drop_copies, sessions)
must_be('hash', balances, 'balances')
must_be('hash', payment, 'payment')
must_be('stream', journal, 'journal')
may_append_event(journal)
must_be('zset', waiting, 'queue of waiting payments')
must_be('zset', due, 'due list')
may_wake_payments(overdue)
if of_batch then may_take_item(of_batch) end
must_be('zset', payment_index, 'index of payments')
if not must_wait and #plan.sells > 0 then
  may_end_hold(open_holds, hold_id)
  must_be('zset', bookings, 'bookings')
  for _, sell in ipairs(plan.sells) do change_position(bookings, sell.position, sell.sell, sell.buy, sell.margin) end
end

-- No refusal after this point.
if of_batch then take_item(of_batch, queued, 'D|' .. payment_id, balances, journal, source_currency, source_account, now) end
if account == '' then
  account = new_account
  redis.call('HSET', accounts, account, currency .. ' 1 0 ', 'default:' .. currency, account)
  redis.call('HSETNX', balances, currency .. '/' .. account, '0')
  append_event(journal, 'account.opened', account, now, currency .. ' 1 0 1 ')
end
local fields = { 'm', account .. '||||' }
if is_new then
  redis.call('SET', transaction, payment_id)
  write_receipt(receipt, kept_ms, 'payment', payment_id)
  add_to_index(payment_index, created_at_ms, payment_id)
  fields[3], fields[4] = 'f', facts
  if cards ~= '' then fields[5], fields[6] = 'c', cards end
end

if must_wait then
  local last = redis.call('ZRANGE', waiting, -1, -1, 'WITHSCORES')
  redis.call('ZADD', waiting, (tonumber(last[2]) or 0) + 1, payment_id .. '|' .. draws)
  put_due(due, expires_at_ms, 'expire:' .. client .. ':' .. payment_id)
  -- No other use of it until the payment ends. It still expires.
  if hold_id ~= '' then
    redis.call('HSET', hold, 'status', 'reserved', 'payment', payment_id)
    append_event(journal, 'hold.reserved', hold_id, now, 'reserved|open')
  end
  local step = { to = 'AWAITING_FUNDS', actor = 'client', hash = facts_hash(facts), reason = note }
  payment_steps(payment, journal, payment_id, at, state, { step }, false, fields)
  -- Money may have been credited between reading the balances and now.
  wake_payments(overdue, client)
  return { 'waits', account, at }
end

local ids, last_entry = {}, nil
for _, sell in ipairs(plan.sells) do
  sell.id = id_behind(bookings, sell.id)
  local moves = {}
  move_conversion(balances, moves, {
    sell_currency = sell.currency, sell_account = sell.account, sell = sell.sell,
    buy_currency = currency, buy_account = account, buy = sell.buy,
    margin_currency = sell.marginCurrency, margin = sell.share and difference(sell.margin, sell.share) or sell.margin,
  })
  if sell.share then move(balances, moves, sell.marginCurrency, 'house:fx', 'platform:margin', sell.share) end
  local entry = write_journal(journal, 'book-fx', sell.id, now, moves, { hash = facts_hash(sell.facts) })
  if sell.share then post_share(client, sell.id, now, sell.marginCurrency, sell.share) end
  write_booking(bookings, sell.id, {
    status = 'SETTLED', sell_account = sell.account, buy_account = account, settled_at = '', entry = entry, afterwards = '', facts = sell.facts,
  })
  if sell.hold ~= '' then
    local owner = redis.call('HGET', hold, 'owner')
    redis.call('HSET', hold, 'status', 'used', 'booking', sell.id)
    redis.call('PEXPIRE', hold, hold_kept_ms(journal, kept_ms))
    append_event(journal, 'hold.used', sell.hold, now, is_new and 'used|open' or 'used|reserved')
    end_hold(open_holds, owner, sell.hold)
    redis.call('ZREM', due, 'hold:' .. client .. ':' .. sell.hold)
  end
  append_event(journal, 'conversion.booked', sell.id, now, 'SETTLED||0')
  for _, comp_id in ipairs(copied) do add_to_outbox(outbox_of(sessions, comp_id), 'drop-copy', sell.id) end
  ids[#ids + 1], last_entry = sell.id, entry
end
if #ids > 0 then write_positions(last_entry) end
if judged then write_judged(plan.limits, judged, bookings, now, #ids) elseif #ids > 0 then forget_values(bookings) end
local moves = {}
move(balances, moves, currency, account, 'transit', plan.transit)
move(balances, moves, currency, account, 'house:fees', plan.fees)
fields[2] = account .. '|' .. plan.amount .. '|' .. plan.transit .. '|' .. plan.fees .. '|' .. table.concat(ids, ' ')
if not is_new then
  leave_queue(waiting, payment_id)
  redis.call('ZREM', due, 'expire:' .. client .. ':' .. payment_id)
end
local funded = { to = 'IN_PROCESS', moves = moves, actor = 'service', reason = 'funds came' }
if is_new then funded = { to = 'IN_PROCESS', moves = moves, actor = 'client', hash = facts_hash(facts), reason = note } end
local step = payment_steps(payment, journal, payment_id, at, state, { funded }, true, fields)
if leased_ms == '' then enqueue_work(work, 'client', client, 'payment', payment_id, 'step', step)
else put_due(due, later(now, leased_ms), due_work(client, payment_id, step)) end
-- Payments behind it may be funded from the rest.
if not is_new then wake_payments(overdue, client) end
local answer = { 'paid', account, at, table.concat(ids, ' ') }
for _, comp_id in ipairs(#ids > 0 and copied or {}) do answer[#answer + 1] = comp_id end
return answer
