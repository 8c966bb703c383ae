-- Sets one fee rule: 1. 0 when the rule is new and there are too many.
local known = redis.call('HEXISTS', rules, rule) == 1
if not known and redis.call('HLEN', rules) >= tonumber(rules_max) then return 0 end
redis.call('HSET', rules, rule, terms)
return 1
