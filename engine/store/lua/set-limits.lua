-- Sets the limits of a client, of `*` or of the house, or removes them where none are given, unless they have changed since `before` was
-- read, and raises the version: 1, else 0.
must_be('string', version, 'version of the limits')
if (redis.call('HGET', limits, scope) or '') ~= before then return 0 end
if rule == '' then redis.call('HDEL', limits, scope) else redis.call('HSET', limits, scope, rule) end
redis.call('INCR', version)
return 1
