-- Grants permits for one client or address in one minute: as many of those wanted as the limit leaves.
-- Returns {granted, total granted}. Writes nothing where it grants nothing and `borrowed` is 0.
local given = tonumber(redis.call('GET', minute) or '0') + tonumber(borrowed)
local granted = math.max(0, math.min(tonumber(wanted), tonumber(limit) - given))
if granted > 0 or borrowed ~= '0' then
  redis.call('SET', minute, string.format('%.0f', given + granted), 'PX', kept_ms)
end
return { granted, given + granted }
