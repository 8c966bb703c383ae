-- Removes one margin rule and raises the version: 1. 0 when there was none.
-- KEYS: rules, version. ARGV: rule.
must_be('string', KEYS[2], 'version of the margins')
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('INCR', KEYS[2])
return 1
