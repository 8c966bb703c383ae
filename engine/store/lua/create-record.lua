-- Creates a record with the given fields, unless it exists: 1, else 0.
if redis.call('EXISTS', record) == 1 then return 0 end
redis.call('HSET', record, unpack(fields))
return 1
