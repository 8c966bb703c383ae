-- Sets one fee rule: 1. 0 when the rule is new and there are too many.
-- KEYS: the client's rules. ARGV: rule, terms, how many rules there may be.
local known = redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1
if not known and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
