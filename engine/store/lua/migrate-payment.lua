-- Converts the record of a payment from form 1, once: 1, else 0.
if redis.call('HEXISTS', payment, 'status') == 0 then return 0 end
redis.call('DEL', payment)
redis.call('HSET', payment, unpack(fields))
return 1
