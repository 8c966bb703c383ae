-- Stores one sent message under its number, and removes the outbox entry that it was made from: 1. 0 for an older epoch, which changes
-- nothing. A repeated number replaces the message.
if not holds_session(session, epoch) then return 0 end
must_be('zset', messages, 'messages of a session')
-- An empty outbox stays: its ids continue after the last one, so that a reader after an entry misses none.
if outbox_entry ~= '' then redis.call('XDEL', outbox, outbox_entry) end
redis.call('ZREMRANGEBYSCORE', messages, number, number)
redis.call('ZADD', messages, number, string.format('%s.%s:', now_ms, number) .. message)
-- Moved once a minute at most: each move is written to the append-only file.
local lifetime_ms = later(kept_ms, CLOCK_MARGIN_MS)
if redis.call('PTTL', messages) < tonumber(lifetime_ms) then redis.call('PEXPIRE', messages, later(lifetime_ms, 60000)) end

-- A session that is never reset loses its oldest messages, a few with each new one.
local oldest_kept = tonumber(now_ms) - tonumber(kept_ms)
local function is_old(member)
  return member and tonumber(string.match(member, '^%d+')) < oldest_kept
end
if is_old(redis.call('ZRANGE', messages, 0, 0)[1]) then
  for _, member in ipairs(redis.call('ZRANGE', messages, 0, 3)) do
    if is_old(member) then redis.call('ZREM', messages, member) end
  end
end
return 1
