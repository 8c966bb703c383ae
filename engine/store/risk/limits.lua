-- Inserted after prelude.lua in the steps that deal: the limits of a client. Amounts are whole minor units of the base currency, below 2^53,
-- so that sums and comparisons are exact. A step only adds and compares: `limits` (StepLimits of risk/limits.ts) has what its deals change,
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
-- fields and values as HSET takes them. `+EUR` is by how much the house may go longer in EUR, `-EUR` shorter; `long` and `short` by how much the
-- sum of its longs and that of its shorts may grow; `free+EUR` what the house can buy, and `free-EUR` what it can sell, before its position in
-- EUR changes its side: so much makes the other sum smaller; `free+EUR/USD` and `free-EUR/USD` the same of a pair that may only be reduced, in
-- minor units of its base. A deal takes from one direction what it gives to the other, so that what is open and the room beside it stay one
-- sum; what is free it only takes. With `over+EUR` or `overlong` the limit is exceeded already: nothing is given back in that direction or to
-- that sum, and what passes makes it smaller. Nil where the room does not suffice: with `asks` the lack is written beside it, and the role is called.
local function room_left(limits) -- rarely
  local room, house = slot_tag .. ':room', limits.house
  local limited, names = {}, { 'base' }
  for _, currency in ipairs(house.currencies) do limited[currency] = true end
  for _, change in ipairs(limits.changes) do
    local currency, direction = change[1], change[2] < 0 and '-' or '+'
    if limited[currency] then
      names[#names + 1] = '+' .. currency
      names[#names + 1] = '-' .. currency
    end
    if house.total and currency ~= limits.base then names[#names + 1] = 'free' .. direction .. currency end
  end
  for _, side in ipairs(house.total and { 'long', 'short' } or {}) do names[#names + 1] = side end
  for _, change in ipairs(house.reducing) do names[#names + 1] = free_of(change) end
  -- What is written; behind it what is only read.
  local last = #names
  if last == 1 then return room, {} end
  for i = 2, last do names[#names + 1] = 'over' .. names[i] end
  local found, left = redis.call('HMGET', room, unpack(names)), {}
  for i = 2, #names do left[names[i]] = found[1] == limits.base and tonumber(found[i] or '0') or 0 end
  local grows, shrinks, unfree, wants = { long = 0, short = 0 }, { long = 0, short = 0 }, {}, {}
  for _, change in ipairs(limits.changes) do
    local currency, size = change[1], math.abs(change[2])
    local direction, other, side, opposite = '+', '-', 'long', 'short'
    if change[2] < 0 then direction, other, side, opposite = '-', '+', 'short', 'long' end
    if limited[currency] then
      if left[direction .. currency] < size then wants[#wants + 1] = { direction .. currency, size } end
      left[direction .. currency] = left[direction .. currency] - size
      if left['over' .. other .. currency] == 0 then left[other .. currency] = left[other .. currency] + size end
    end
    if house.total and currency ~= limits.base then
      local free = 'free' .. direction .. currency
      local covered = math.min(left[free], size)
      left[free] = left[free] - covered
      grows[side] = grows[side] + size - covered
      shrinks[opposite] = shrinks[opposite] + covered
      if covered < size then unfree[#unfree + 1] = { free, size } end
    end
  end
  for _, change in ipairs(house.reducing) do
    local free, size = free_of(change), math.abs(change[2])
    if left[free] < size then wants[#wants + 1] = { free, size } end
    left[free] = left[free] - size
  end
  if house.total then
    local lacks = false
    for _, side in ipairs({ 'long', 'short' }) do
      local need = grows[side] - shrinks[side]
      if left['over' .. side] > 0 then need = grows[side] > 0 and need >= 0 and math.max(need, 1) or 0 end
      if need > left[side] then
        wants[#wants + 1] = { side, need }
        lacks = true
      end
      left[side] = left[side] - need
    end
    for _, want in ipairs(lacks and unfree or {}) do wants[#wants + 1] = want end
  end
  local written = {}
  for i = 2, last do written[2 * i - 3], written[2 * i - 2] = names[i], string.format('%.0f', left[names[i]]) end
  if #wants == 0 then return room, written end
  if not house.asks then return nil end
  for _, want in ipairs(wants) do redis.call('HINCRBY', room, 'want:' .. want[1], string.format('%.0f', want[2])) end
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

-- The key of the conversions of a sub-client's platform, beside which its deals per second and its exposure are: those of its own deals and of all its
-- sub-clients'. Nil for any other client.
local function platform_bookings(bookings) -- rarely
  local platform = string.match(bookings, '^([^~]*)~')
  return platform and platform .. ':bookings'
end

-- Of one client, without the house: the name of the first limit that the deals would exceed, '': none; then its exposure as they change it.
local function judge_own(limits, bookings, now, deals) -- rarely
  local most = limits.dealsPerSecond
  if most and deals_in_second(bookings, now) + deals > most then return 'deals-per-second' end
  if limits.dates then return judge_exposure(limits, bookings) end
  return ''
end

-- Of each limit of the exposure that the deals bring from below its warning to it or beyond: the id of its event, and what that says.
local function warnings_of(limits, exposure) -- rarely
  local before, after, found = exposure.before, exposure.after, {}
  local function warn(limit, of, most, was, is)
    if not most or was * 100 >= most * limits.warnPercent or is * 100 < most * limits.warnPercent then return end
    found[#found + 1] = { limit .. (of and '-' .. of or ''),
      '{"limit":"' .. limit .. '"' .. (of and ',"of":"' .. of .. '"' or '') .. ',"warn_percent":' .. limits.warnPercent .. '}' }
  end
  for _, change in ipairs(limits.changes) do
    local currency = change[1]
    warn('nop', currency, limits.nopOf[currency], math.abs(before[currency]), math.abs(after[currency]))
  end
  warn('nop', nil, limits.nop, math.max(before.long, before.short), math.max(after.long, after.short))
  for _, change in ipairs(limits.dates) do warn('settlement', change[2], limits.settlement, before[change[2]], after[change[2]]) end
  return found
end

-- Checks before the first write that the platform can have the events of these warnings, and then appends them: its events are beside those of the
-- step's own client, whose state in events.lua is kept meanwhile.
local function warn_platform(platform, warnings, now) -- rarely
  local own_key_of_events, own_client, own_has, own_due = events_key, events_client, has_events, are_due
  has_events, are_due = nil, false
  may_append_event(platform)
  for _, warning in ipairs(now and warnings or {}) do append_event(platform, 'limit.warning', warning[1], now, warning[2]) end
  events_key, events_client, has_events, are_due = own_key_of_events, own_client, own_has, own_due
end

-- The name of the first limit that the deals would exceed, behind `platform` one of the sub-client's platform; '': none. Then what they change, for
-- write_judged. `no-exposure` where that is missing, and the caller seeds it; `no-room` where the shard lacks room under the house's limits, and
-- the caller waits for the role.
local function judge_deals(limits, bookings, now, deals) -- rarely
  local judged, name = {}, nil
  name, judged.exposure = judge_own(limits, bookings, now, deals)
  if name ~= '' then return name end
  if limits.platform then
    name, judged.ofPlatform = judge_own(limits.platform, platform_bookings(bookings), now, deals)
    if name == 'no-exposure' then return name end
    if name ~= '' then return 'platform ' .. name end
    judged.warnings = judged.ofPlatform and warnings_of(limits.platform, judged.ofPlatform) or {}
    if #judged.warnings > 0 then warn_platform(platform_bookings(bookings), judged.warnings) end
  end
  if limits.house then
    judged.room, judged.left = room_left(limits)
    if not judged.room then return 'no-room' end
  end
  return '', judged
end

-- Counts the deals of one client, and changes its exposure, or removes what was not judged.
local function write_own(limits, exposure, bookings, now, deals) -- rarely
  if limits.dealsPerSecond then
    local text = string.sub(now, 1, -4) .. ' ' .. string.format('%.0f', deals_in_second(bookings, now) + deals)
    redis.call('SET', own_key(bookings, 'deal-rate'), text, 'PX', 2000)
  end
  if not exposure then
    redis.call('DEL', own_key(bookings, 'exposure'))
    return
  end
  local written = {}
  for i = 2, #exposure.names do
    written[2 * i - 3], written[2 * i - 2] = exposure.names[i], string.format('%.0f', exposure.after[exposure.names[i]])
  end
  redis.call('HSET', own_key(bookings, 'exposure'), unpack(written))
end

-- After judge_deals, among the writes of the step: counts the deals, and changes the exposure and the room of the shard. What the caller has
-- not valued is no longer known. Without a deal, as of another date, the room is as before.
local function write_judged(limits, judged, bookings, now, deals) -- rarely
  write_own(limits, judged.exposure, bookings, now, deals)
  for _, warning in ipairs(judged.exposure and warnings_of(limits, judged.exposure) or {}) do
    append_event(bookings, 'limit.warning', warning[1], now, warning[2])
  end
  local platform = platform_bookings(bookings)
  if platform then write_own(limits.platform or {}, judged.ofPlatform, platform, now, deals) end
  if judged.warnings and #judged.warnings > 0 then warn_platform(platform, judged.warnings, now) end
  if judged.room then
    if #judged.left > 0 then redis.call('HSET', judged.room, unpack(judged.left)) end
  elseif deals > 0 then
    redis.call('HDEL', slot_tag .. ':room', 'base')
  end
end

-- Among the writes of a step that changes dates of the client's position without values: the exposure is made anew when it is next asked for.
local function forget_exposure(bookings) -- rarely
  local platform = platform_bookings(bookings)
  redis.call('DEL', own_key(bookings, 'exposure'))
  if platform then redis.call('DEL', own_key(platform, 'exposure')) end
end

-- The same of one that changes what is open: the shard has no room until the risk role hands it out anew.
local function forget_values(bookings) -- rarely
  forget_exposure(bookings)
  redis.call('HDEL', slot_tag .. ':room', 'base')
end
