-- Inserted after prelude.lua in the steps that deal: the limits of a client. Amounts are whole minor units of the base currency, below 2^53,
-- so that sums and comparisons are exact. A step only adds and compares: `limits` (StepLimits of ledger/limits.ts) has what its deals change,
-- valued by the caller.

-- The keys beside that of the client's conversions: its deals of the current second, and its exposure. The exposure is a hash of values of
-- the client's position, seen from the house: `base`, its currency; `EUR`, what is open in it; `long` and `short`, the sums without the base
-- currency; `EUR/USD|20261125`, what is open of the pair for the date; `20261125`, the sum of those without their signs. It exists only for
-- some seconds after a deal that asks for it: it is made from the position (seed-exposure.lua).
local function own_key(bookings, name)
  return string.sub(bookings, 1, -#'bookings' - 1) .. name
end

-- The conversions that the client has booked in the current second, by the store's clock.
local function deals_in_second(bookings, now)
  local second, deals = string.match(redis.call('GET', own_key(bookings, 'deal-rate')) or '', '^(%d+) (%d+)$')
  return second == string.sub(now, 1, -4) and tonumber(deals) or 0
end

-- What the deals would make of the exposure: names, and by name the figures before and after. Nil: there is none in this base currency.
local function changed_exposure(limits, bookings)
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

-- Within the limit, or smaller than before.
local function is_allowed(limit, before, after)
  return not limit or after <= limit or after < before
end

-- The name of the first limit that the deals would exceed; '': none. Then the exposure as they change it; nil where none is asked for.
-- `no-exposure` where it is missing: the caller seeds it.
local function judge_deals(limits, bookings, now, deals)
  local most = limits.dealsPerSecond
  if most and deals_in_second(bookings, now) + deals > most then return 'deals-per-second' end
  if not limits.changes then return '' end
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

-- After judge_deals, among the writes of the step: counts the deals, and changes the exposure.
local function write_judged(limits, exposure, bookings, now, deals)
  if limits.dealsPerSecond then
    local text = string.sub(now, 1, -4) .. ' ' .. string.format('%.0f', deals_in_second(bookings, now) + deals)
    redis.call('SET', own_key(bookings, 'deal-rate'), text, 'PX', 2000)
  end
  if not exposure then return end
  local written = {}
  for i = 2, #exposure.names do
    written[2 * i - 3], written[2 * i - 2] = exposure.names[i], string.format('%.0f', exposure.after[exposure.names[i]])
  end
  redis.call('HSET', own_key(bookings, 'exposure'), unpack(written))
end

-- Among the writes of a step that changes the client's position without values: the exposure is made anew when it is next asked for.
local function forget_exposure(bookings)
  redis.call('DEL', own_key(bookings, 'exposure'))
end
