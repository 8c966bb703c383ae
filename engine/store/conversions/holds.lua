-- Inserted after events.lua in the steps that lock a hold or end one. The open holds of a platform and of its sub-clients are one hash,
-- `all-holds` beside the platform's own: `<client>|<id>` has the US cents of each, `usd` their sum, so that a lock reads no hold. It exists from
-- the first lock of one of them on. A hold leaves it in the step that books, releases, revokes or expires it.
local function all_holds(open_holds) -- rarely
  local client = string.match(open_holds, '^{s%d%d}:client:([^:]*):')
  return slot_tag .. ':client:' .. string.match(client, '^[^~]*') .. ':all-holds', client
end

-- Before the first write of a step that ends an open hold. Of a client that is of no platform it costs one command.
local counted_usd
local function may_end_hold(open_holds, id) -- rarely
  must_be('zset', open_holds, 'open holds')
  local all, client = all_holds(open_holds)
  -- As a read it fails by itself on a key of another type.
  counted_usd = redis.call('HGET', all, client .. '|' .. id)
end

local function end_hold(open_holds, owner, id) -- rarely
  redis.call('ZREM', open_holds, owner .. '|' .. id)
  if not counted_usd then return end
  local all, client = all_holds(open_holds)
  redis.call('HDEL', all, client .. '|' .. id)
  redis.call('HINCRBY', all, 'usd', '-' .. counted_usd)
end

-- What the platform has held since before it was one, where its hash does not exist yet: a list of fields and values, and their sum.
local function held_before(all, now) -- rarely
  local own, platform = string.match(all, '^(.*:client:(.*):)all%-holds$')
  local found, sum = {}, 0
  for _, member in ipairs(redis.call('ZRANGE', own .. 'open-holds', now, '+inf', 'BYSCORE')) do
    local id = string.match(member, '|(.+)$')
    local usd = redis.call('HGET', own .. 'hold:' .. id, 'usd') or '0'
    found[#found + 1], found[#found + 2] = platform .. '|' .. id, usd
    sum = sum + tonumber(usd)
  end
  return found, sum
end

-- Before the first write of a lock of `usd` cents: nil where it counts for no platform, else whether it is 'over' the limit of all of them or beyond their
-- 'number', '' for neither; then what write_held writes.
local function judge_held(open_holds, now, usd, limit_usd, number_max) -- rarely
  local all = all_holds(open_holds)
  local sum = redis.call('HGET', all, 'usd')
  if limit_usd == '' and not sum then return nil end
  local before = {}
  if not sum then before, sum = held_before(all, now) end
  local number = #before / 2 + math.max(0, redis.call('HLEN', all) - 1)
  before[#before + 1], before[#before + 2] = 'usd', string.format('%.0f', tonumber(sum) + tonumber(usd))
  if limit_usd == '' then return '', before end
  if number >= tonumber(number_max) then return 'number', before end
  -- Below 10^15 together: the sum is exact.
  return tonumber(sum) + tonumber(usd) > tonumber(limit_usd) and 'over' or '', before
end

local function write_held(open_holds, id, usd, written) -- rarely
  local all, client = all_holds(open_holds)
  redis.call('HSET', all, client .. '|' .. id, usd, unpack(written))
end
