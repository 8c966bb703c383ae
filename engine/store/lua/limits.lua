-- Inserted after prelude.lua in the steps that deal: the limits of a client. Amounts are whole minor units of the base currency, below 2^53,
-- so that sums and comparisons are exact. A step only adds and compares: `limits` (StepLimits of ledger/limits.ts) has what its deals change,
-- valued by the caller.

-- The keys beside that of the client's conversions: its deals of the current second, and its exposure. The exposure is a hash of values of
-- the client's position, seen from the house: `base`, its currency; `EUR`, what is open in it; `long` and `short`, the sums without the base
-- currency; `EUR/USD|20261125`, what is open of the pair for the date; `20261125`, the sum of those without their signs. It exists only for
-- some seconds after a deal that asks for it: it is made from the position (seed-exposure.lua).
local function own_key(bookings, name) -- rarely
  return string.sub(bookings, 1, -#'bookings' - 1) .. name
end

-- The conversions that the client has booked in the current second, by the store's clock.
local function deals_in_second(bookings, now) -- rarely
  local second, deals = string.match(redis.call('GET', own_key(bookings, 'deal-rate')) or '', '^(%d+) (%d+)$')
  return second == string.sub(now, 1, -4) and tonumber(deals) or 0
end

-- What the deals would make of the exposure: names, and by name the figures before and after. Nil: there is none in this base currency.
local function changed_exposure(limits, bookings) -- rarely
  local names, before, after = { 'base', 'long', 'short' }, {}, {}
  for _, change in ipairs(limits.changes) do names[#names + 1] = change[1] end
  for _, change in ipairs(limits.dates) do
    names[#names + 1] = change[1]
    names[#names + 1] = change[2]
  end
  local found = redis.call('HMGET', own_key(bookings, 'exposure'), unpack(names))
  if found[1] ~= limits.base then return nil end
  for i = 2, #names do
    local value = tonumber(found[i] or '0')
    before[names[i]], after[names[i]] = value, value
  end
  for _, change in ipairs(limits.changes) do
    local was = after[change[1]]
    local is = was + change[2]
    after[change[1]] = is
    if change[1] ~= limits.base then
      after.long = after.long + math.max(is, 0) - math.max(was, 0)
      after.short = after.short + math.max(-is, 0) - math.max(-was, 0)
    end
  end
  for _, change in ipairs(limits.dates) do
    local field, date, value = change[1], change[2], change[3]
    local was = after[field]
    after[field] = was + value
    after[date] = after[date] + math.abs(was + value) - math.abs(was)
  end
  return { names = names, before = before, after = after }
end

-- The room that a change in a pair takes, which may only be reduced.
local function free_of(change) -- rarely
  return (change[2] < 0 and 'free-' or 'free+') .. change[1]
end

-- What the deals would leave of the shard's room, the slice of the house's limits that the risk role has handed to it (share-room.lua): a list of
-- fields and values as HSET takes them. `+EUR` is by how much the house may go longer in EUR, `-EUR` shorter; `total` by how much its total may
-- grow; `free+EUR` and `free-EUR` what of a change in EUR makes the total smaller; `free+EUR/USD` and `free-EUR/USD` what of a change makes the
-- position of the pair smaller, in minor units of its base. A deal takes from one direction of a currency what it gives to the other, so that
-- what is open and the room beside it stay one sum; what is free it only takes. Nil where the room does not suffice: what is asked for is
-- written beside it, and the role is called.
local function room_left(limits) -- rarely
  local room, house = slot_tag .. ':room', limits.house
  local limited, names = {}, { 'base' }
  for _, currency in ipairs(house.currencies) do limited[currency] = true end
  for _, change in ipairs(limits.changes) do
    for _, direction in ipairs({ '+', '-', 'free+', 'free-' }) do names[#names + 1] = direction .. change[1] end
  end
  names[#names + 1] = 'total'
  for _, change in ipairs(house.reducing) do names[#names + 1] = free_of(change) end
  local found, left, wants = redis.call('HMGET', room, unpack(names)), {}, {}
  for i = 2, #names do left[names[i]] = found[1] == limits.base and tonumber(found[i] or '0') or 0 end
  local needed = { ['+'] = 0, ['-'] = 0 }
  local unfree = {}
  for _, change in ipairs(limits.changes) do
    local currency, size = change[1], math.abs(change[2])
    local direction, other = '+', '-'
    if change[2] < 0 then direction, other = '-', '+' end
    if limited[currency] then
      if left[direction .. currency] < size then wants[direction .. currency] = size end
      left[direction .. currency] = left[direction .. currency] - size
      left[other .. currency] = left[other .. currency] + size
    end
    if house.total and currency ~= limits.base then
      local free = 'free' .. direction .. currency
      local covered = math.min(left[free], size)
      left[free] = left[free] - covered
      needed[direction] = needed[direction] + size - covered
      if covered < size then unfree[#unfree + 1], unfree[free] = free, size end
    end
  end
  for _, change in ipairs(house.reducing) do
    local free, size = free_of(change), math.abs(change[2])
    if left[free] < size then wants[free] = size end
    left[free] = left[free] - size
  end
  local need = math.max(needed['+'], needed['-'])
  if need > left.total then
    wants.total = need
    for _, free in ipairs(unfree) do wants[free] = unfree[free] end
  end
  left.total = left.total - need
  local written, asked = {}, false
  for i = 2, #names do
    local name = names[i]
    if wants[name] then
      redis.call('HINCRBY', room, 'want:' .. name, string.format('%.0f', wants[name]))
      asked = true
    end
    written[2 * i - 3], written[2 * i - 2] = name, string.format('%.0f', left[name])
  end
  if not asked then return room, written end
  redis.call('PUBLISH', 'room', string.sub(slot_tag, 3, 4))
end

-- Within the limit, or smaller than before.
local function is_allowed(limit, before, after) -- rarely
  return not limit or after <= limit or after < before
end

-- The name of the first limit of the exposure that the deals would exceed; '': none. Then the exposure as they change it.
local function judge_exposure(limits, bookings) -- rarely
  local exposure = changed_exposure(limits, bookings)
  if not exposure then return 'no-exposure' end
  local before, after = exposure.before, exposure.after
  for _, change in ipairs(limits.changes) do
    local currency = change[1]
    if not is_allowed(limits.nopOf[currency], math.abs(before[currency]), math.abs(after[currency])) then return 'nop ' .. currency end
  end
  if not is_allowed(limits.nop, math.max(before.long, before.short), math.max(after.long, after.short)) then return 'nop' end
  for _, change in ipairs(limits.dates) do
    if not is_allowed(limits.settlement, before[change[2]], after[change[2]]) then return 'settlement ' .. change[2] end
  end
  return '', exposure
end

-- The name of the first limit that the deals would exceed; '': none. Then what they change, for write_judged. `no-exposure` where that is
-- missing, and the caller seeds it; `no-room` where the shard lacks room under the house's limits, and the caller waits for the role.
local function judge_deals(limits, bookings, now, deals) -- rarely
  local most = limits.dealsPerSecond
  if most and deals_in_second(bookings, now) + deals > most then return 'deals-per-second' end
  local exposure
  if limits.dates then
    local name
    name, exposure = judge_exposure(limits, bookings)
    if name ~= '' then return name end
  end
  if limits.house then
    local room, left = room_left(limits)
    if not room then return 'no-room' end
    return '', { exposure = exposure, room = room, left = left }
  end
  return '', { exposure = exposure }
end

-- After judge_deals, among the writes of the step: counts the deals, and changes the exposure and the room of the shard. What the caller has
-- not valued is no longer known.
local function write_judged(limits, judged, bookings, now, deals) -- rarely
  if limits.dealsPerSecond then
    local text = string.sub(now, 1, -4) .. ' ' .. string.format('%.0f', deals_in_second(bookings, now) + deals)
    redis.call('SET', own_key(bookings, 'deal-rate'), text, 'PX', 2000)
  end
  local exposure = judged.exposure
  if exposure then
    local written = {}
    for i = 2, #exposure.names do
      written[2 * i - 3], written[2 * i - 2] = exposure.names[i], string.format('%.0f', exposure.after[exposure.names[i]])
    end
    redis.call('HSET', own_key(bookings, 'exposure'), unpack(written))
  else
    redis.call('DEL', own_key(bookings, 'exposure'))
  end
  if judged.room then redis.call('HSET', judged.room, unpack(judged.left)) else redis.call('HDEL', slot_tag .. ':room', 'base') end
end

-- Among the writes of a step that changes the client's position without values: the exposure is made anew when it is next asked for, and the
-- shard has no room until the risk role hands it out anew.
local function forget_values(bookings) -- rarely
  redis.call('DEL', own_key(bookings, 'exposure'))
  redis.call('HDEL', slot_tag .. ':room', 'base')
end
