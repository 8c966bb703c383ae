-- Inserted after prelude.lua in the steps that open or end a scheduled conversion, or change what is owed. A group is a client, or a platform with its
-- sub-clients, which are in one shard; its keys are `{sNN}:client:<client or platform>:group-...`. `group-scheduled` is a hash: by currency the gross
-- sum of what is sold by scheduled conversions that have not settled, and `changes`, which grows with each change that the hold-back of a gain
-- depends on. `group-open` has those conversions, members `<client>|<confirmation id>`; `group-owing` the clients that owe; `group-held` the gains
-- that are held back, members `<client>|<confirmation id>`.
local function group_key(key, name) -- rarely
  return string.match(key, '^{s%d%d}:client:[^:~]*') .. ':group-' .. name
end

-- Before the first write.
local function may_change_group(key) -- rarely
  must_be('hash', group_key(key, 'scheduled'), 'scheduled sells of a group')
  must_be('zset', group_key(key, 'open'), 'open conversions of a group')
  must_be('zset', group_key(key, 'owing'), 'clients of a group that owe')
  must_be('zset', group_key(key, 'held'), 'gains of a group that are held back')
end

-- Gains that are held back are computed again: at most 100 at once, the rest within the hour.
local HELD_MAX = 100
local function group_has_changed(key, now) -- rarely
  redis.call('HINCRBY', group_key(key, 'scheduled'), 'changes', 1)
  for _, member in ipairs(redis.call('ZRANGE', group_key(key, 'held'), 0, HELD_MAX - 1)) do
    put_due(slot_tag .. ':due', now, 'gain:' .. string.gsub(member, '|', ':'))
  end
end

-- A scheduled conversion is open from now on.
local function open_in_group(key, client, id) -- rarely
  redis.call('ZADD', group_key(key, 'open'), 0, client .. '|' .. id)
end

-- It has settled or ended.
local function end_in_group(key, client, id, now) -- rarely
  redis.call('ZREM', group_key(key, 'open'), client .. '|' .. id)
  group_has_changed(key, now)
end

-- What a client sells in the currency by scheduled conversions that have not settled: its own sum, and its group's. `key` is its own sum.
local function change_scheduled(key, currency, change) -- rarely
  redis.call('HINCRBY', key, currency, change)
  redis.call('HINCRBY', group_key(key, 'scheduled'), currency, change)
end
