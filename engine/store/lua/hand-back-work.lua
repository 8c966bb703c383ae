-- What a worker has taken and not finished looks left for so long that whoever looks next takes it over. Returns how many.
-- KEYS: work. ARGV: worker, how long ms, most.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local taken = redis.call('XPENDING', KEYS[1], 'workers', '-', '+', ARGV[3], ARGV[1])
for _, entry in ipairs(taken) do
  redis.call('XCLAIM', KEYS[1], 'workers', ARGV[1], '0', entry[1], 'IDLE', ARGV[2], 'JUSTID')
end
return #taken
