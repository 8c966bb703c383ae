-- Keeps one sent message under its number, and takes the entry that it was made from out of the outbox: 1. 0 for an older epoch,
-- which changes nothing. The same number again replaces the message.
if not holds_session(session, epoch) then return 0 end
must_be('zset', messages, 'messages of a session')
-- An outbox that is empty now stays: its ids go on from the last, so who reads on behind an entry misses none.
if outbox_entry ~= '' then redis.call('XDEL', outbox, outbox_entry) end
redis.call('ZREMRANGEBYSCORE', messages, number, number)
redis.call('ZADD', messages, number, string.format('%s.%s:', now_ms, number) .. message)
redis.call('PEXPIRE', messages, kept_ms)

-- A session that is never reset forgets its oldest messages, a few with each new one.
local oldest_kept = tonumber(now_ms) - tonumber(kept_ms)
for _, member in ipairs(redis.call('ZRANGE', messages, 0, 3)) do
  if tonumber(string.match(member, '^%d+')) < oldest_kept then redis.call('ZREM', messages, member) end
end
return 1
