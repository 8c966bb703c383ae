-- What the hold-back of a gain depends on, at one moment: the mark of the group's last change, the clients that owe, and the conversions that have
-- not settled.
return { redis.call('HGET', scheduled, 'changes') or '', redis.call('ZRANGE', owing, 0, -1), redis.call('ZRANGE', open, 0, -1) }
