-- Makes a worker's unfinished entries old enough for any worker to claim. Returns how many.
if redis.call('EXISTS', work) == 0 then return 0 end
local taken = redis.call('XPENDING', work, 'workers', '-', '+', most, worker)
for _, entry in ipairs(taken) do
  redis.call('XCLAIM', work, 'workers', worker, '0', entry[1], 'IDLE', idle_ms, 'JUSTID')
end
return #taken
