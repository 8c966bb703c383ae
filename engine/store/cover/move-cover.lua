-- Moves a cover order to another state. `sent` is for the holder of the risk lease alone, and out of `planned` alone: so an order is sent
-- once. `ended` becomes filled, partly-filled or rejected by what was filled.
-- Returns {'moved', status, at ms}, {'fenced'}, or {'status', status or '' without a record} where that status does not allow it.
local BEFORE = {
  planned = 'suggested ', withdrawn = 'suggested planned ', sent = 'planned ', unknown = 'sent ', ended = 'sent unknown ',
  resolved = 'sent unknown disputed ',
}
if to == 'sent' and redis.call('GET', fence) ~= holding then return { 'fenced' } end
local now = step_now()
local status, filled = unpack(redis.call('HMGET', cover, 'status', 'filled'))
if not status or not string.find(BEFORE[to], status .. ' ', 1, true) then return { 'status', status or '' } end
must_be('hash', open_covers, 'open cover orders')
if to == 'ended' then
  to = filled == '0' and 'rejected' or tonumber(filled) < tonumber(amount) and 'partly-filled' or 'filled'
end
redis.call('HSET', cover, 'status', to, 'reason', reason, 'at', now)
if to == 'sent' then redis.call('HSET', cover, 'sent', now) end
if to ~= 'planned' and to ~= 'sent' and to ~= 'unknown' and redis.call('HGET', open_covers, pair) == id then
  redis.call('HDEL', open_covers, pair)
end
if status == 'disputed' then redis.call('HDEL', open_covers, id) end
return { 'moved', to, now }
