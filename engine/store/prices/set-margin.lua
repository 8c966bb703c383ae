-- Sets one margin rule and raises the version: 1. 0 when the rule is new and there are too many.
local known = redis.call('HEXISTS', rules, rule) == 1
if not known and redis.call('HLEN', rules) >= tonumber(rules_max) then return 0 end
must_be('string', version, 'version of the margins')
redis.call('HSET', rules, rule, margin_ppm)
redis.call('INCR', version)
return 1
