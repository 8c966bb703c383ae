-- Counts a change after which each process reads its tokens again.
return redis.call('INCR', revocations)
