-- What a worker has taken and not finished looks left for so long that whoever looks next takes it over. Returns how many.
if redis.call('EXISTS', work) == 0 then return 0 end
local taken = redis.call('XPENDING', work, 'workers', '-', '+', most, worker)
for _, entry in ipairs(taken) do
  redis.call('XCLAIM', work, 'workers', worker, '0', entry[1], 'IDLE', idle_ms, 'JUSTID')
end
return #taken
