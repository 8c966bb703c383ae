-- Inserted before prelude.lua in every step: the time, and the due list.

-- The server's own clock, which may differ from the caller's, read once for each step: whole milliseconds since 1970 as text, 13 digits
-- until 2286.
local read_ms
local function server_now()
  if not read_ms then
    local time = redis.call('TIME')
    local micros = time[2]
    read_ms = time[1] .. string.sub(string.sub('00000', #micros) .. micros, 1, 3)
  end
  return read_ms
end

local function server_ms()
  return tonumber(server_now())
end

-- How far a client's own clock is ahead of its shard's, ms: advance-clock.lua, in a sandbox alone. step_now reads it.
local own_ms = 0
local function read_own_ms(key) -- rarely
  local own = string.match(key, '^{s%d%d}:client:[^:]*:')
  return own and tonumber(redis.call('GET', own .. 'clock') or '0') or 0
end

-- The store's time, whole milliseconds since 1970 as text: the clock of the server that runs the step, plus in a sandbox an operator's
-- offset and the client's own. Every check on money (the expiry of a hold, a due date) and every time that a step writes uses it, read once
-- for each step: `local now = step_now()`. What a caller prepared before the step, such as the createdAtMs of facts, uses its estimate of the
-- same clock (StoreClock), passed as an argument. The operator's offset has a key in each shard's slot: `{sNN}:clock`. A shard with a client
-- whose clock is ahead has that key too, so that one command finds that there is nothing to add. `slot_tag` is that `{sNN}`: the loader
-- (connection/scripts.ts) takes it from the step's first key, which is one of the client's where the step is of a client.
-- `expected_ms` is what the caller expects that server's own clock to say, by its monotonic clock since its first answer ('' before that):
-- the loader sends it with every step that uses the time. A clock that was turned would settle early, or book what has expired.
local function step_now()
  if expected_ms ~= '' and math.abs(server_ms() - tonumber(expected_ms)) > 60000 then error('CLOCK_TURNED', 0) end
  local offset = redis.call('GET', slot_tag .. ':clock')
  if not offset then return server_now() end
  own_ms = read_own_ms(first_key)
  return string.format('%.0f', server_ms() + (tonumber(offset) or 0) + own_ms)
end

-- The time `ms` after `now`, both in milliseconds, as text.
local function later(now, ms)
  return string.format('%.0f', tonumber(now) + tonumber(ms))
end

-- The due list of a shard is in the shard's time, whose scheduler reads it by one time for all clients: a client's times are earlier there by
-- what its own clock is ahead. Both functions come after step_now.

-- True when the entry of the shard's due list exists, and its time has come.
local function is_due(due, entry, now)
  local at = redis.call('ZSCORE', due, entry)
  return at and tonumber(at) + own_ms <= tonumber(now)
end

-- Adds an entry, or moves it: due at that time of the client's clock.
local function put_due(due, at, entry) -- rarely
  redis.call('ZADD', due, own_ms == 0 and at or string.format('%.0f', tonumber(at) - own_ms), entry)
end
