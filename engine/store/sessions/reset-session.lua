-- Resets both numbers to 1 and deletes all messages: 1. 0 for an older epoch.
if not holds_session(session, epoch) then return 0 end
must_be('zset', messages, 'messages of a session')
redis.call('HSET', session, 'out', '1', 'in', '1', 'created', now_ms)
redis.call('DEL', messages)
return 1
