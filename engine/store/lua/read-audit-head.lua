-- The end of the audit log's chain at one moment. KEYS: audit log, its head. Returns number ('0': it has not begun), HMAC and entry of the
-- head, the server's own time ms, the last entry of the log or '', how many it has, and how many were ever added.
local head = redis.call('HMGET', KEYS[2], 'number', 'mac', 'entry')
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local added = '0'
if redis.call('EXISTS', KEYS[1]) == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[1])
  for i = 1, #info, 2 do if info[i] == 'entries-added' then added = string.format('%.0f', info[i + 1]) end end
end
return { head[1] or '0', head[2] or '', head[3] or '', string.format('%.0f', server_ms()), last[1] and last[1][1] or '',
  string.format('%.0f', redis.call('XLEN', KEYS[1])), added }
