-- Acquires a lease, or renews the one that this engine holds. Returns the name of this holding, constant while it lasts without a break:
-- '<engine> <when it began, us>'; '' while another has it.
local holding = redis.call('GET', lease)
if holding then
  if string.sub(holding, 1, #engine + 1) ~= engine .. ' ' then return '' end
  redis.call('PEXPIRE', lease, lease_ms)
  return holding
end
local time = redis.call('TIME')
holding = engine .. ' ' .. time[1] .. string.format('%06d', tonumber(time[2]))
redis.call('SET', lease, holding, 'PX', lease_ms)
return holding
