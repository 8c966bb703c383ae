-- Removes an entry of the work stream that requested nothing that is left to do.
if step ~= '' then must_be('hash', payment, 'payment') end
redis.call('XACK', work, 'workers', entry)
redis.call('XDEL', work, entry)
if step ~= '' and redis.call('HGET', payment, 'busy') == step then redis.call('HSET', payment, 'busy', '') end
return 1
