-- Removes one margin rule, for every amount or for amounts above one, and raises the version: 1. 0 when there was none.
local kept, name = rules, rule
if above ~= '' then kept, name = bands, rule .. '|' .. above end
must_be('string', version, 'version of the margins')
if redis.call('HDEL', kept, name) == 0 then return 0 end
redis.call('INCR', version)
return 1
