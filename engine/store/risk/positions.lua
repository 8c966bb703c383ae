-- Inserted after prelude.lua in the steps that change the house's position from the deals of its clients: one hash of the shard,
-- `{sNN}:position`, and one of the client, `{sNN}:client:<id>:position`. A field is `<pair>|<value date>|<side><margin>`: side `B` where the
-- house bought the base currency and `S` where it sold it, `b` or `q` where its margin is in the base or the quote currency. A close-out is
-- in `<currency>|<value date>|C`. Its value is `<received> <given> <margin>`: minor units of what the house received from the client, of what
-- it gave, and of the margin, which is a part of the two. positions.ts reads the same. Field `folded` is the last value date, YYYYMMDD,
-- whose lines were added to those of the date `0`. Field `last`, of a shard alone, is another text after each change: who has read the hash
-- before reads it again only then.

-- A change of a step is read before its first write, which ends it where a hash has another type, and written with write_positions.

-- The sum of two whole numbers as text, exact to 24 digits: in two parts, of the last nine digits and of those before.
local function exact_sum(a, b) -- rarely
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

-- Adds a change to a line; its amounts are numbers of at most 15 digits. `lines` has what is written, fields and values as HSET takes them. A
-- sum of two such numbers is exact; a longer one is added in parts.
local function change_line(key, lines, field, received, given, margin)
  local at, before = #lines + 1, nil
  for i = 1, #lines, 2 do
    if lines[i] == field then at, before = i, lines[i + 1] end
  end
  local a, b, c = position_parts(before or redis.call('HGET', key, field) or '0 0 0')
  lines[at] = field
  if #a <= 15 and #b <= 15 and #c <= 15 then
    lines[at + 1] = string.format('%.0f %.0f %.0f', a + received, b + given, c + margin)
  else
    lines[at + 1] = sum_of(a, received) .. ' ' .. sum_of(b, given) .. ' ' .. sum_of(c, margin)
  end
end

local own_position, shard_position = '', slot_tag .. ':position'
local own_lines, shard_lines = {}, {}
-- Of a sub-client also those of all sub-clients of its platform, `{sNN}:client:<platform>~*:position`.
local platform_position = nil
local platform_lines = {}
local function change_platform_position(bookings, field, received, given, margin) -- rarely
  platform_position = string.match(bookings, '^[^~]*') .. '~*:position'
  local name, value_date, what = string.match(field, '^([^|]*|)(%d+)(.*)$')
  local folded = redis.call('HGET', platform_position, 'folded')
  local date = folded and value_date <= folded and '0' or value_date
  change_line(platform_position, platform_lines, name .. date .. what, received, given, margin)
end

local function change_position(bookings, field, received, given, margin)
  own_position = string.sub(bookings, 1, -9) .. 'position'
  received, given, margin = tonumber(received), tonumber(given), tonumber(margin)
  change_line(own_position, own_lines, field, received, given, margin)
  change_line(shard_position, shard_lines, field, received, given, margin)
  if string.find(bookings, '~', 1, true) then change_platform_position(bookings, field, received, given, margin) end
end

-- The same for a conversion of before, whose value date may have been folded.
local function change_earlier_position(bookings, field, received, given, margin)
  own_position = string.sub(bookings, 1, -9) .. 'position'
  received, given, margin = tonumber(received), tonumber(given), tonumber(margin)
  local name, value_date, what = string.match(field, '^([^|]*|)(%d+)(.*)$')
  for i, key in ipairs({ own_position, shard_position }) do
    local folded = redis.call('HGET', key, 'folded')
    local date = folded and value_date <= folded and '0' or value_date
    change_line(key, i == 1 and own_lines or shard_lines, name .. date .. what, received, given, margin)
  end
  if string.find(bookings, '~', 1, true) then change_platform_position(bookings, field, received, given, margin) end
end

-- The difference of two amounts, as text; '' is 0.
local function difference(amount, less)
  return string.format('%.0f', (amount ~= '' and amount or 0) - less)
end

-- After write_journal, which has returned `entry`: no other change has this one of this client.
local function write_positions(entry)
  redis.call('HSET', own_position, unpack(own_lines))
  if platform_position then redis.call('HSET', platform_position, unpack(platform_lines)) end
  local lines = #shard_lines
  shard_lines[lines + 1], shard_lines[lines + 2] = 'last', string.sub(own_position, 14, -9) .. entry
  redis.call('HSET', shard_position, unpack(shard_lines))
end
