-- Sets one margin rule and raises the version: 1. 0 when the rule is new and there are too many.
-- KEYS: rules, version. ARGV: rule, millionths, how many rules there may be.
local known = redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1
if not known and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
must_be('string', KEYS[2], 'version of the margins')
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('INCR', KEYS[2])
return 1
