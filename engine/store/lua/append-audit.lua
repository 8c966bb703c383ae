-- Adds an entry to the audit log, if the chain still ends where its HMAC was computed from.
-- KEYS: audit log, its head. ARGV: 1 the head's HMAC as the caller has read it, or '' (the chain has not begun), 2 the entry's place,
-- 3 its number, 4 its HMAC, 5... its fields and their values.
-- Returns {'added'}, or {'moved', number, HMAC, entry of the head, server's own time ms}: compute it again.
local head = redis.call('HMGET', KEYS[2], 'number', 'mac', 'entry')
if (head[2] or '') ~= ARGV[1] then return { 'moved', head[1] or '0', head[2] or '', head[3] or '', string.format('%.0f', server_ms()) } end
local fields = {}
for i = 5, #ARGV do fields[#fields + 1] = ARGV[i] end
redis.call('XADD', KEYS[1], ARGV[2], 'number', ARGV[3], 'mac', ARGV[4], unpack(fields))
redis.call('HSET', KEYS[2], 'number', ARGV[3], 'mac', ARGV[4], 'entry', ARGV[2])
return { 'added' }
