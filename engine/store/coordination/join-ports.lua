-- Registers a program, or renews its registration, when its modes agree with those of this store; stores a mode that is missing.
-- Returns 1 and the modes, '' for a missing one; 0 and the modes when one of them differs. Where money is decided manually, prices must be a
-- market's: 2 and the modes when the program's feed is none; 3, the modes and the other program when this call would make a port manual
-- while a program with such a feed runs. Nothing is written but with 1.
local registered = redis.call('ZCARD', programs)
local reply = { 1 }
for i = 1, #ports, 3 do
  local mode = redis.call('HGET', modes, ports[i]) or ''
  if mode ~= '' and ports[i + 1] ~= '' and ports[i + 1] ~= mode then reply[1] = 0 end
  reply[#reply + 1] = mode
end
if reply[1] == 0 then return reply end
local now = redis.call('TIME')[1] * 1000
for i = 1, #ports, 3 do
  local kept = reply[(i + 2) / 3 + 1]
  local mode = kept ~= '' and kept or ports[i + 1]
  if ports[i] ~= 'compliance' and mode ~= '' and mode ~= 'sandbox' then
    if feed ~= '' then
      reply[1] = 2
      return reply
    end
    if kept == '' then
      for _, other in ipairs(redis.call('ZRANGE', programs, '(' .. now, '+inf', 'BYSCORE', 'LIMIT', 0, 1000)) do
        if string.find(other, ' FEED=', 1, true) then
          reply[1] = 3
          reply[#reply + 1] = string.match(other, ' (.*)')
          return reply
        end
      end
    end
  end
end
for i = 1, #ports, 3 do
  local at = (i + 2) / 3 + 1
  if reply[at] == '' then
    reply[at] = ports[i + 1] ~= '' and ports[i + 1] or ports[i + 2]
    if reply[at] ~= '' then redis.call('HSET', modes, ports[i], reply[at]) end
  end
end
if registered > 0 then redis.call('ZREMRANGEBYSCORE', programs, '-inf', now) end
redis.call('ZADD', programs, now + registered_ms, program)
return reply
