-- Inserted after prelude.lua in the steps that change the house's position from the deals of its clients: one hash of the shard,
-- `{sNN}:position`, and one of the client, `{sNN}:client:<id>:position`. A field is `<pair>|<value date>|<side><margin>`: side `B` where the
-- house bought the base currency and `S` where it sold it, `b` or `q` where its margin is in the base or the quote currency. A close-out is
-- in `<currency>|<value date>|C`. Its value is `<received> <given> <margin>`: minor units of what the house received from the client, of what
-- it gave, and of the margin, which is a part of the two. positions.ts reads the same. Field `folded` is the last value date, YYYYMMDD,
-- whose lines were added to those of the date `0`.

-- A change of a step is read before its first write, which ends it where a hash has another type, and written with write_positions.
local function position_keys(bookings)
  return string.sub(bookings, 1, -#'bookings' - 1) .. 'position', slot_tag .. ':position'
end

-- The sum of two whole numbers as text, exact to 24 digits: in two parts, of the last nine digits and of those before.
local function exact_sum(a, b)
  local high, low = 0, 0
  for _, text in ipairs({ a, b }) do
    local sign, digits = string.match(text, '^(%-?)(%d+)$')
    local factor = sign == '-' and -1 or 1
    high = high + factor * (tonumber(string.sub(digits, 1, -10)) or 0)
    low = low + factor * tonumber(string.sub(digits, -9))
  end
  local carry = math.floor(low / 1e9)
  high, low = high + carry, low - carry * 1e9
  -- Both parts with one sign.
  if high < 0 and low > 0 then high, low = high + 1, low - 1e9 end
  if high == 0 then return string.format('%.0f', low) end
  return string.format('%.0f%09.0f', high, math.abs(low))
end

local function position_parts(value)
  local received, given, margin = string.match(value, '^(%-?%d+) (%-?%d+) (%-?%d+)$')
  if not received then error('a position cannot be read: run ratewire reconcile', 0) end
  return received, given, margin
end

local function is_short(a, b, c)
  return #a <= 15 and #b <= 15 and #c <= 15
end

-- All amounts are text.
local function position_sum(before, received, given, margin)
  local a, b, c = position_parts(before)
  if is_short(a, b, c) and is_short(received, given, margin) then
    return string.format('%.0f %.0f %.0f', a + received, b + given, c + margin)
  end
  return exact_sum(a, received) .. ' ' .. exact_sum(b, given) .. ' ' .. exact_sum(c, margin)
end

-- `changed` is a list of fields and values as HSET takes them, which knows the place of each value by its field.
local function add_to_position(key, changed, field, received, given, margin)
  local at = changed[field]
  local before = at and changed[at] or redis.call('HGET', key, field) or '0 0 0'
  if not at then
    at = #changed + 2
    changed[at - 1], changed[field] = field, at
  end
  changed[at] = position_sum(before, received, given, margin)
end

local changed_positions = { {}, {} }
local function change_position(bookings, field, received, given, margin)
  local own, shard = position_keys(bookings)
  add_to_position(own, changed_positions[1], field, received, given, margin)
  add_to_position(shard, changed_positions[2], field, received, given, margin)
end

-- The same for a conversion of before, whose value date may have been folded.
local function change_earlier_position(bookings, field, received, given, margin)
  local name, value_date, what = string.match(field, '^([^|]*|)(%d+)(.*)$')
  for i, key in ipairs({ position_keys(bookings) }) do
    local folded = redis.call('HGET', key, 'folded')
    local date = folded and value_date <= folded and '0' or value_date
    add_to_position(key, changed_positions[i], name .. date .. what, received, given, margin)
  end
end

-- The difference of two amounts, as text; '' is 0.
local function difference(amount, less)
  return string.format('%.0f', (amount ~= '' and amount or 0) - less)
end

local function write_positions(bookings)
  local own, shard = position_keys(bookings)
  redis.call('HSET', own, unpack(changed_positions[1]))
  redis.call('HSET', shard, unpack(changed_positions[2]))
end
