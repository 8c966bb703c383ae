-- Both numbers back to 1, all messages gone: 1. 0 for an older epoch.
-- KEYS: session, messages. ARGV: epoch, now ms.
if not holds_session(KEYS[1], ARGV[1]) then return 0 end
must_be('zset', KEYS[2], 'messages of a session')
redis.call('HSET', KEYS[1], 'out', '1', 'in', '1', 'created', ARGV[2])
redis.call('DEL', KEYS[2])
return 1
