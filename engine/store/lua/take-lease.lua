-- Takes a lease, or prolongs the one that this engine holds. Returns the name of this holding, the same one as long as it lasts without a
-- break: '<engine> <when it began, us>'; '' while another has it.
-- KEYS: lease. ARGV: engine, how long ms.
local holding = redis.call('GET', KEYS[1])
if holding then
  if string.sub(holding, 1, #ARGV[1] + 1) ~= ARGV[1] .. ' ' then return '' end
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return holding
end
local time = redis.call('TIME')
holding = ARGV[1] .. ' ' .. time[1] .. string.format('%06d', tonumber(time[2]))
redis.call('SET', KEYS[1], holding, 'PX', ARGV[2])
return holding
