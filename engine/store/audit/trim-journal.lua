-- Removes archived entries from the journal, and stores the state at the end of the archive file: once, and only if the journal still
-- begins as the file does.
-- Returns 'trimmed', or 'moved' when the journal does not begin so, or another process has archived it further.
if (redis.call('HGET', archived, 'entry') or '') ~= before then return 'moved' end
local head = redis.call('XRANGE', journal, '-', last)
if #head ~= tonumber(count) or head[1][1] ~= first or head[#head][1] ~= last then return 'moved' end

-- First the command that frees memory: a full store rejects a step whose first write needs some, and this step is to make room.
redis.call('XTRIM', journal, 'MINID', '=', kept_from)
redis.call('HSET', archived, unpack(fields))
return 'trimmed'
