-- Sets one margin rule, for every amount or for amounts above one, and raises the version: 1. 0 when the rule is new and there are too many.
local kept, name = rules, rule
if above ~= '' then kept, name = bands, rule .. '|' .. above end
local known = redis.call('HEXISTS', kept, name) == 1
if not known and redis.call('HLEN', rules) + redis.call('HLEN', bands) >= tonumber(rules_max) then return 0 end
must_be('string', version, 'version of the margins')
redis.call('HSET', kept, name, margin_ppm)
redis.call('INCR', version)
return 1
