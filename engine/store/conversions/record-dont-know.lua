-- Records, once for each execution, that a desk does not know it. Returns 'recorded', 'known', or 'full': the client has as many of that day
-- as it may have.
if redis.call('HEXISTS', record, execution) == 1 then return 'known' end
if redis.call('HLEN', record) >= tonumber(most) then return 'full' end
redis.call('HSET', record, execution, step_now() .. '|' .. details)
redis.call('PEXPIRE', record, kept_ms)
return 'recorded'
