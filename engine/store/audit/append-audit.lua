-- Adds an entry to the audit log, if the chain still ends where its HMAC was computed from.
-- Returns {'added'}, or {'moved', number, HMAC, entry of the head, server's own time ms}: the caller computes it again.
local last = redis.call('HMGET', head, 'number', 'mac', 'entry')
if (last[2] or '') ~= head_mac then return { 'moved', last[1] or '0', last[2] or '', last[3] or '', string.format('%.0f', server_ms()) } end
redis.call('XADD', log, entry, 'number', number, 'mac', mac, unpack(fields))
redis.call('HSET', head, 'number', number, 'mac', mac, 'entry', entry)
return { 'added' }
