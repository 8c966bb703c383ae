-- Converts the record of a conversion from form 1, once: 1, else 0.
if redis.call('EXISTS', booking) == 0 then return 0 end
must_be('hash', booking, 'booking')
must_be('zset', bookings, 'bookings')
must_be('zset', index, 'list of bookings')
redis.call('ZADD', bookings, 0, member)
redis.call('ZREM', index, place)
redis.call('DEL', booking)
return 1
