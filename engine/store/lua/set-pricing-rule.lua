-- Sets the pricing rule of a pair, or removes it where none is given, and raises the version: 1. 0 when the rule is no longer the one before.
if (redis.call('HGET', rules, pair) or '') ~= before then return 0 end
must_be('string', version, 'version of the pricing rules')
if rule == '' then redis.call('HDEL', rules, pair) else redis.call('HSET', rules, pair, rule) end
redis.call('INCR', version)
return 1
