-- Inserted after prelude.lua in the steps of payments: the queue of those that await funds, and what every step of a payment writes.
-- A member of the queue is `<payment id>|<what it may draw on, comma separated>`; its score is its place. It may draw on accounts, by
-- number, and on `agreement-EUR`: every account of the Auto Book FX agreement in another currency than EUR. `none`: on nothing, until its
-- accounts change. Empty: on nothing for ever, since its hold has expired. Members of 0.1.0 name currencies: every account in them, until
-- the payment is planned again.

-- True when an older payment may draw on one of the accounts `taken`, by number. `id` may be in the queue itself, or not yet. One pass over
-- the queue: at most 1,000 members, of at most three parts unless 0.1.0 wrote them.
local function is_behind(waiting, id, accounts, taken)
  local drawn, agreed = {}, {}
  for _, number in ipairs(taken) do
    local currency, sequence = string.match(redis.call('HGET', accounts, number) or '', '^(%u%u%u) [01] (%d+)')
    drawn[number] = true
    if currency then
      drawn[currency] = true
      if sequence ~= '0' then agreed[#agreed + 1] = currency end
    end
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

-- It keeps its place and blocks no other payment: it is never converted at another rate.
local function hold_is_over(waiting, payment, id, now)
  waits_for(waiting, id, '')
  redis.call('HSET', payment, 'subStatus', 'HOLD_EXPIRED', 'updatedAt', now)
end

-- Paid, or ended: the beneficiary's card number is no longer needed.
local NEEDS_NO_CARD = { PAID = true, RETURNED = true, CANCELLED = true, USER_REJECTED = true, COMPLIANCE_REJECTED = true }

-- Writes steps of a payment, each with its own journal entry; returns the number of the last. A step is {to, actor}, with `sub`, `text`,
-- `moves`, `reason`, and the `hash` of its facts when they are written with it. `has_next` is true when a next step is work; `fields` are
-- further fields of the record and their values.
local function payment_steps(payment, journal, id, now, steps, has_next, fields)
  local found = redis.call('HMGET', payment, 'status', 'entries', 'step')
  local status, entries = found[1] or '', found[2]
  for _, s in ipairs(steps) do
    local entry = write_journal(journal, 'payment', id, now, s.moves or {},
      { hash = s.hash, actor = s.actor, reason = s.reason, from = status, to = s.to, sub = s.sub })
    status, entries = s.to, entries and entries .. ' ' .. entry or entry
  end
  local last, step = steps[#steps], string.format('%.0f', tonumber(found[3] or '0') + #steps)
  redis.call('HSET', payment, 'status', status, 'subStatus', last.sub or '', 'description', last.text or '', 'updatedAt', now,
    'entries', entries, 'step', step, 'busy', has_next and step or '', unpack(fields))
  if NEEDS_NO_CARD[status] then redis.call('HDEL', payment, 'cards') end
  return step
end

local function due_work(client, id, step)
  return 'work:' .. client .. ':' .. id .. '.' .. step
end
