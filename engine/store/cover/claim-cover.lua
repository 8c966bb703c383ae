-- Lets the process that has this holding of the risk lease plan and send cover orders, and none with an earlier holding: 1; 0 when a later
-- holding has been claimed. A holding is '<engine> <when it began, us>'.
local function began(text)
  return tonumber(string.match(text, ' (%d+)$'))
end
local before = redis.call('GET', fence)
if before and before ~= holding and began(before) >= began(holding) then return 0 end
redis.call('SET', fence, holding)
return 1
