-- Takes out of the journal what an archive file has, and keeps what the file ends with: once, and only if the journal still begins as the
-- file does.
-- KEYS: journal, archived. ARGV: 1 last archived entry so far or '', 2 first and 3 last entry of the file, 4 how many they are, 5 the entry
-- from which on the journal stays, 6... fields of the record and their values.
-- Returns 'trimmed', or 'moved' when the journal does not begin so, or somebody has archived it further.
if (redis.call('HGET', KEYS[2], 'entry') or '') ~= ARGV[1] then return 'moved' end
local head = redis.call('XRANGE', KEYS[1], '-', ARGV[3])
if #head ~= tonumber(ARGV[4]) or head[1][1] ~= ARGV[2] or head[#head][1] ~= ARGV[3] then return 'moved' end

-- First what frees memory: a store that is full refuses a step whose first write takes some, and this one is to make room.
redis.call('XTRIM', KEYS[1], 'MINID', '=', ARGV[5])
redis.call('HSET', KEYS[2], unpack(ARGV, 6))
return 'trimmed'
