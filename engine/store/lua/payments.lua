-- Before the steps of payments, behind prelude.lua: the queue of those that await their funds, and what every step of a payment writes.
-- A member of the queue is `<payment id>|<currencies that it draws on, with commas>`; its score is its place.

-- True when somebody older waits for a currency that this one draws on too. `id` may be in the queue itself, or not yet.
local function is_behind(waiting, id, draws)
  for _, member in ipairs(redis.call('ZRANGE', waiting, 0, -1)) do
    local other, its = string.match(member, '^([^|]+)|(.*)$')
    if other == id then return false end
    for currency in string.gmatch(its, '%u%u%u') do
      if string.find(draws, currency, 1, true) then return true end
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

-- It stays where it is, and keeps what it draws on from those behind it.
local function waits_for(waiting, id, draws)
  local member = member_of(waiting, id)
  if not member or member == id .. '|' .. draws then return end
  local place = redis.call('ZSCORE', waiting, member)
  redis.call('ZREM', waiting, member)
  redis.call('ZADD', waiting, place, id .. '|' .. draws)
end

-- It stays where it is and holds up nobody: it is never converted at another rate.
local function hold_is_over(waiting, payment, id, now)
  waits_for(waiting, id, '')
  redis.call('HSET', payment, 'subStatus', 'HOLD_EXPIRED', 'updatedAt', now)
end

-- Writes a step of a payment; returns its number.
local function payment_step(payment, journal, id, now, status, sub_status, text, moves, actor, reason)
  local found = redis.call('HMGET', payment, 'status', 'entries')
  local entry = write_journal(journal, 'payment', id, now, moves, actor, reason,
    'from', found[1] or '', 'to', status, 'sub', sub_status)
  redis.call('HSET', payment, 'status', status, 'subStatus', sub_status, 'description', text, 'updatedAt', now,
    'entries', found[2] and found[2] .. ' ' .. entry or entry)
  return tostring(redis.call('HINCRBY', payment, 'step', 1))
end
