-- Takes out of the journal what an archive file has, and keeps what the file ends with: once, and only if the journal still begins as the
-- file does.
-- Returns 'trimmed', or 'moved' when the journal does not begin so, or somebody has archived it further.
if (redis.call('HGET', archived, 'entry') or '') ~= before then return 'moved' end
local head = redis.call('XRANGE', journal, '-', last)
if #head ~= tonumber(count) or head[1][1] ~= first or head[#head][1] ~= last then return 'moved' end

-- First what frees memory: a store that is full refuses a step whose first write takes some, and this one is to make room.
redis.call('XTRIM', journal, 'MINID', '=', kept_from)
redis.call('HSET', archived, unpack(fields))
return 'trimmed'
