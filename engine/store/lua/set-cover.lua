-- Sets the cover rule of a pair, or removes it where none is given, and raises the version: 1; 0 where there was none to remove.
must_be('string', version, 'version of the cover rules')
if rule == '' then
  if redis.call('HDEL', rules, pair) == 0 then return 0 end
else
  redis.call('HSET', rules, pair, rule)
end
redis.call('INCR', version)
return 1
