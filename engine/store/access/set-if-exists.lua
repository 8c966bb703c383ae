-- Sets fields of a record that exists: 1, else 0.
if redis.call('EXISTS', record) == 0 then return 0 end
redis.call('HSET', record, unpack(fields))
return 1
