-- Prolongs a lease that ARGV[1] still holds by ARGV[2] milliseconds: 1, else 0.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
