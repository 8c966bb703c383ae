-- The end of the audit log's chain at one moment. Returns number ('0': it has not begun), HMAC and entry of the head, the server's own time
-- ms, the last entry of the log or '', the number of entries, and the number ever added.
local ends = redis.call('HMGET', head, 'number', 'mac', 'entry')
local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)
local added = '0'
if redis.call('EXISTS', log) == 1 then
  local info = redis.call('XINFO', 'STREAM', log)
  for i = 1, #info, 2 do if info[i] == 'entries-added' then added = string.format('%.0f', info[i + 1]) end end
end
return { ends[1] or '0', ends[2] or '', ends[3] or '', string.format('%.0f', server_ms()), last[1] and last[1][1] or '',
  string.format('%.0f', redis.call('XLEN', log)), added }
