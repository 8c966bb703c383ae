-- Takes permits of somebody's minute: as many of those wanted as the limit leaves.
-- KEYS: the minute. ARGV: 1 limit, 2 wanted, 3 given out before without asking, 4 kept for ms.
-- Returns {granted, given out in all}. Where it grants nothing and learns nothing it writes nothing.
local given = tonumber(redis.call('GET', KEYS[1]) or '0') + tonumber(ARGV[3])
local granted = math.max(0, math.min(tonumber(ARGV[2]), tonumber(ARGV[1]) - given))
if granted > 0 or ARGV[3] ~= '0' then
  redis.call('SET', KEYS[1], string.format('%.0f', given + granted), 'PX', ARGV[4])
end
return { granted, given + granted }
