-- Removes one margin rule and raises the version: 1. 0 when there was none.
must_be('string', version, 'version of the margins')
if redis.call('HDEL', rules, rule) == 0 then return 0 end
redis.call('INCR', version)
return 1
