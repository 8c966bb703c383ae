-- Registers a program, or prolongs its registration, when it works with the modes that this store keeps; keeps a mode that is not there yet.
-- Returns 1 and the modes, '' where one is not kept; 0 and the modes when one of them differs: then nothing is written.
-- KEYS: modes, programs. ARGV: program, how long ms, then of each port its name, the program's mode or '', and the mode to keep where both are absent or ''.
local programs = redis.call('ZCARD', KEYS[2])
local reply = { 1 }
for i = 3, #ARGV, 3 do
  local mode = redis.call('HGET', KEYS[1], ARGV[i]) or ''
  if mode ~= '' and ARGV[i + 1] ~= '' and ARGV[i + 1] ~= mode then reply[1] = 0 end
  reply[#reply + 1] = mode
end
if reply[1] == 0 then return reply end
for i = 3, #ARGV, 3 do
  local at = i / 3 + 1
  if reply[at] == '' then
    reply[at] = ARGV[i + 1] ~= '' and ARGV[i + 1] or ARGV[i + 2]
    if reply[at] ~= '' then redis.call('HSET', KEYS[1], ARGV[i], reply[at]) end
  end
end
local now = redis.call('TIME')[1] * 1000
if programs > 0 then redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now) end
redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
return reply
