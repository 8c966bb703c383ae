-- Registers a program, or renews its registration, when its modes agree with those of this store; stores a mode that is missing.
-- Returns 1 and the modes, '' for a missing one; 0 and the modes when one of them differs: then nothing is written.
local registered = redis.call('ZCARD', programs)
local reply = { 1 }
for i = 1, #ports, 3 do
  local mode = redis.call('HGET', modes, ports[i]) or ''
  if mode ~= '' and ports[i + 1] ~= '' and ports[i + 1] ~= mode then reply[1] = 0 end
  reply[#reply + 1] = mode
end
if reply[1] == 0 then return reply end
for i = 1, #ports, 3 do
  local at = (i + 2) / 3 + 1
  if reply[at] == '' then
    reply[at] = ports[i + 1] ~= '' and ports[i + 1] or ports[i + 2]
    if reply[at] ~= '' then redis.call('HSET', modes, ports[i], reply[at]) end
  end
end
local now = redis.call('TIME')[1] * 1000
if registered > 0 then redis.call('ZREMRANGEBYSCORE', programs, '-inf', now) end
redis.call('ZADD', programs, now + registered_ms, program)
return reply
