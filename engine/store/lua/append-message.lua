-- Keeps one sent message under its number, and takes the entry that it was made from out of the outbox: 1. 0 for an older epoch,
-- which changes nothing. The same number again replaces the message.
-- KEYS: session, messages, outbox. ARGV: epoch, number, now ms, how long messages are kept ms, message, entry or empty.
if not holds_session(KEYS[1], ARGV[1]) then return 0 end
must_be('zset', KEYS[2], 'messages of a session')
-- An outbox that is empty now stays: its ids go on from the last, so who reads on behind an entry misses none.
if ARGV[6] ~= '' then redis.call('XDEL', KEYS[3], ARGV[6]) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], ARGV[2], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[2], string.format('%s.%s:', ARGV[3], ARGV[2]) .. ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[4])

-- A session that is never reset forgets its oldest messages, a few with each new one.
local oldest_kept = tonumber(ARGV[3]) - tonumber(ARGV[4])
for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, 3)) do
  if tonumber(string.match(member, '^%d+')) < oldest_kept then redis.call('ZREM', KEYS[2], member) end
end
return 1
