-- Adds a token to the live ones of its client and of its key (scored by expiry); revokes nothing itself.
-- Returns the hashes of the tokens to be revoked for it, oldest first; nil: the client has its maximum of tokens, and none that the key may
-- revoke: only its own, and those of keys without any right that it lacks.

local function index_of(its_key) return '{' .. of_client .. '}:key:' .. its_key end

local function live_of(index)
  redis.call('ZREMRANGEBYSCORE', index, '-inf', now_ms)
  return redis.call('ZCARD', index)
end

local function includes(theirs)
  for right in string.gmatch(theirs, '%S+') do
    if not string.find(' ' .. rights .. ' ', ' ' .. right .. ' ', 1, true) then return false end
  end
  return true
end

-- The index of the key with most tokens, the requesting one in a tie.
local function fullest()
  local found, most = of_key, redis.call('ZCARD', of_key)
  local kept = redis.call('HGETALL', rights_of_keys)
  for i = 1, #kept, 2 do
    local index = index_of(kept[i])
    local live = live_of(index)
    if live == 0 then
      redis.call('HDEL', rights_of_keys, kept[i])
    elseif live > most and includes(kept[i + 1]) then
      found, most = index, live
    end
  end
  return most > 0 and found or nil
end

must_be('zset', of_client, 'tokens of a client')
must_be('zset', of_key, 'tokens of a key')
for _, its_key in ipairs(redis.call('HKEYS', rights_of_keys)) do must_be('zset', index_of(its_key), 'tokens of a key') end

local too_many = live_of(of_key) >= tonumber(most_of_key) and of_key
if not too_many and live_of(of_client) >= tonumber(most_of_client) then
  too_many = fullest()
  if not too_many then return nil end
end

local gone = {}
if too_many then
  gone[1] = redis.call('ZRANGE', too_many, 0, 0)[1]
  redis.call('ZREM', too_many, gone[1])
  redis.call('ZREM', of_client, gone[1])
end
redis.call('ZADD', of_client, expires_at_ms, hash)
redis.call('ZADD', of_key, expires_at_ms, hash)
redis.call('HSET', rights_of_keys, key, rights)
local lifetime = string.format('%.0f', tonumber(expires_at_ms) - tonumber(now_ms) + CLOCK_MARGIN_MS)
for _, name in ipairs({ of_client, of_key, rights_of_keys }) do redis.call('PEXPIRE', name, lifetime) end
return gone
