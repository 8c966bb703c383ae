-- Sets the rule of a name, or removes it where none is given, and raises the version: 1. 0 when the rule is no longer the one before.
must_be('string', version, 'version of the rules')
if (redis.call('HGET', rules, name) or '') ~= before then return 0 end
if rule == '' then redis.call('HDEL', rules, name) else redis.call('HSET', rules, name, rule) end
redis.call('INCR', version)
return 1
