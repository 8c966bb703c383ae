-- Inserted after prelude.lua in the steps of payments: the queue of those that await funds, and what every step of a payment writes.
-- A member of the queue is `<payment id>|<what it may draw on, comma separated>`; its score is its place. It may draw on accounts, by
-- number, and on `agreement-EUR`: every account of the Auto Book FX agreement in another currency than EUR. `none`: on nothing, until its
-- accounts change. Empty: on nothing for ever, since its hold has expired.

-- The record of a payment is a hash, which payment-record.ts reads: `f` its facts, `m` its money, `s` its state, `b` the reference of the
-- beneficiary's bank, `c` its card numbers, encrypted. The state is `<status>|<sub status>|<step>|<1 where its next step is work>|<attempts>|
-- <updated at>|<journal entries>|<description>`; the money `<account>|<amount>|<in transit>|<fees>|<conversions>`, where all but the account
-- is '' until it is funded. The first journal entry has its id; a later one has the milliseconds after the first.

-- The state of a payment; nil without a record.
local function payment_state(payment)
  local text = redis.call('HGET', payment, 's')
  if not text then return nil end
  local status, sub, step, busy, attempts, at, entries, description =
    string.match(text, '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|(.*)$')
  if not status then error('the state of a payment cannot be read: run ratewire reconcile', 0) end
  return {
    status = status, sub = sub, step = step, busy = busy, attempts = attempts, at = at, entries = entries, description = description,
  }
end

local function state_text(s)
  return s.status .. '|' .. s.sub .. '|' .. s.step .. '|' .. s.busy .. '|' .. s.attempts .. '|' .. s.at .. '|' .. s.entries .. '|'
    .. s.description
end

local function with_entry(entries, entry)
  if entries == '' then return entry end
  local ms, number = string.match(entry, '^(%d+)(%-%d+)$')
  return entries .. ' ' .. string.format('%.0f', tonumber(ms) - tonumber(string.match(entries, '^%d+'))) .. number
end

-- True when an older payment may draw on one of the accounts `taken`, by number. `id` may be in the queue itself, or not yet. One pass over
-- the queue: at most 1,000 members, of at most three parts.
local function is_behind(waiting, id, accounts, taken)
  local drawn, agreed = {}, {}
  for _, number in ipairs(taken) do
    local currency, sequence = string.match(redis.call('HGET', accounts, number) or '', '^(%u%u%u) [01] (%d+)')
    drawn[number] = true
    if currency and sequence ~= '0' then agreed[#agreed + 1] = currency end
  end
  for _, member in ipairs(redis.call('ZRANGE', waiting, 0, -1)) do
    local other, its = string.match(member, '^([^|]+)|(.*)$')
    if other == id then return false end
    for part in string.gmatch(its, '[^,]+') do
      if drawn[part] then return true end
      local except = string.match(part, '^agreement%-(%u%u%u)$')
      for _, currency in ipairs(except and agreed or {}) do
        if currency ~= except then return true end
      end
    end
  end
  return false
end

local function member_of(waiting, id)
  for _, member in ipairs(redis.call('ZRANGE', waiting, 0, -1)) do
    if string.sub(member, 1, #id + 1) == id .. '|' then return member end
  end
end

local function leave_queue(waiting, id)
  local member = member_of(waiting, id)
  if member then redis.call('ZREM', waiting, member) end
end

-- It keeps its place, and reserves what it draws on against those behind it.
local function waits_for(waiting, id, draws)
  local member = member_of(waiting, id)
  if not member or member == id .. '|' .. draws then return end
  local place = redis.call('ZSCORE', waiting, member)
  redis.call('ZREM', waiting, member)
  redis.call('ZADD', waiting, place, id .. '|' .. draws)
end

-- The state of a payment in an event: `<status>|<sub status>|<updated at>|<the bank's reference>|<description>`.
local function payment_shown(state, bank) -- rarely
  return state.status .. '|' .. state.sub .. '|' .. state.at .. '|' .. bank .. '|' .. state.description
end

-- It keeps its place and blocks no other payment: it is never converted at another rate.
local function hold_is_over(waiting, payment, id, now)
  local state = payment_state(payment)
  local tells = may_append_event(payment) and state.sub ~= 'HOLD_EXPIRED'
  local before = tells and payment_shown(state, '')
  waits_for(waiting, id, '')
  state.sub, state.at = 'HOLD_EXPIRED', now
  if tells then append_event(payment, 'payment', id, now, both_texts(payment_shown(state, ''), before)) end
  redis.call('HSET', payment, 's', state_text(state))
end

-- Paid, or ended: the beneficiary's card number is no longer needed.
local NEEDS_NO_CARD = { PAID = true, RETURNED = true, CANCELLED = true, USER_REJECTED = true, COMPLIANCE_REJECTED = true }

-- Writes steps of a payment, each with its own journal entry; returns the number of the last. `state` is that before them, nil for a new
-- payment. A step is {to, actor}, with `sub`, `text`, `moves`, `reason`, and the `hash` of its facts when they are written with it.
-- `has_next` is true when a next step is work; `fields` are further fields of the record and their values.
local function payment_steps(payment, journal, id, now, state, steps, has_next, fields)
  local s = state or { status = '', step = '0', attempts = '0', entries = '' }
  local has_subscriber = may_append_event(journal)
  local bank = has_subscriber and state and redis.call('HGET', payment, 'b') or ''
  local before = has_subscriber and state and payment_shown(s, bank) or ''
  if fields[1] == 'b' then bank = fields[2] end
  for _, to in ipairs(steps) do
    local entry = write_journal(journal, 'payment', id, now, to.moves or {},
      { hash = to.hash, actor = to.actor, reason = to.reason, from = s.status, to = to.to, sub = to.sub })
    s.status, s.sub, s.description, s.entries, s.at = to.to, to.sub or '', to.text or '', with_entry(s.entries, entry), now
    if has_subscriber then
      local shown = payment_shown(s, bank)
      if before == '' then append_event(journal, 'payment.created', id, now, both_texts(shown, '')) end
      if before ~= '' or s.status == 'AWAITING_FUNDS' then append_event(journal, 'payment', id, now, both_texts(shown, before)) end
      before = shown
    end
  end
  s.step, s.busy = string.format('%.0f', tonumber(s.step) + #steps), has_next and '1' or ''
  redis.call('HSET', payment, 's', state_text(s), unpack(fields))
  -- Only a payment that was created with one has it.
  if state and NEEDS_NO_CARD[s.status] then redis.call('HDEL', payment, 'c') end
  return s.step
end

-- The hold that a payment converts at, '' for none, by its facts.
local function hold_of(facts) -- rarely
  return cjson.decode(string.sub(facts, 2))[20] or ''
end

-- A payment ends without its funds: the hold that it has reserved can be used again, until it expires.
local function free_hold(payment, id, now) -- rarely
  local hold_id = hold_of(redis.call('HGET', payment, 'f'))
  if hold_id == '' then return end
  local hold = string.sub(payment, 1, -#('payment:' .. id) - 1) .. 'hold:' .. hold_id
  local found = redis.call('HMGET', hold, 'status', 'expiry', 'payment')
  if found[1] ~= 'reserved' or found[3] ~= id or tonumber(now) > tonumber(found[2]) then return end
  redis.call('HSET', hold, 'status', 'open')
  redis.call('HDEL', hold, 'payment')
  append_event(payment, 'hold.freed', hold_id, now, 'open|reserved')
end

-- The request id of a payment's facts.
local function request_of(facts)
  return cjson.decode(string.sub(facts, 2))[2]
end

local function due_work(client, id, step)
  return 'work:' .. client .. ':' .. id .. '.' .. step
end
