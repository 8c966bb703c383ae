-- Removes an entry of the work stream that requested nothing that is left to do, and the due entry of the same step.
if step ~= '' then
  must_be('hash', payment, 'payment')
  must_be('zset', due, 'due list')
end
if entry ~= '' then
  redis.call('XACK', work, 'workers', entry)
  redis.call('XDEL', work, entry)
end
if step ~= '' then
  redis.call('ZREM', due, due_entry)
  if redis.call('HGET', payment, 'busy') == step then redis.call('HSET', payment, 'busy', '') end
end
return 1
