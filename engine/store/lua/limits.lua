-- Inserted after prelude.lua in the steps that deal: the limits of a client, which are whole minor units of the base currency or numbers of
-- deals. A step only adds and compares: what a deal is worth is an argument (StepLimits of ledger/limits.ts).

-- The conversions that the client has booked in the current second, by the store's clock.
local function deals_in_second(deal_rate, now)
  local second, deals = string.match(redis.call('GET', deal_rate) or '', '^(%d+) (%d+)$')
  return second == string.sub(now, 1, -4) and tonumber(deals) or 0
end

-- The name of the first limit that so many deals more would exceed; nil: none.
local function exceeded_limit(limits, deal_rate, now, deals)
  local most = limits.dealsPerSecond
  if most and deals_in_second(deal_rate, now) + deals > most then return 'deals-per-second' end
end

-- After exceeded_limit: counts the deals that are booked. The key ends by itself.
local function count_deals(limits, deal_rate, now, deals)
  if not limits.dealsPerSecond then return end
  local text = string.sub(now, 1, -4) .. ' ' .. string.format('%.0f', deals_in_second(deal_rate, now) + deals)
  redis.call('SET', deal_rate, text, 'PX', 2000)
end
