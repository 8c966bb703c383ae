-- Holds a rate for its client. The same hold again, and the same request again, change nothing.
-- KEYS: hold, open holds, quote request, due, session. ARGV: 1 now ms, 2 hold id, 3 expiry ms, 4 facts, 5 owner, 6 open holds an owner may have,
-- 7 '1' when the offer is too old to be taken, 8 '1' when it has a quote request, 9 due entry or '', 10 kept after the end ms,
-- 11 the epoch in which the caller has the session, or '' (it has let it go, or there is none).
-- Returns {'held', facts, expiry, status}, {'duplicate', hold id}, {'late'}, {'limit'} or {'taken-over'}, in the order taken-over, duplicate, held, late, limit.
if ARGV[11] ~= '' and not holds_session(KEYS[5], ARGV[11]) then return { 'taken-over' } end
local known = ARGV[8] == '1' and redis.call('GET', KEYS[3])
if known then return { 'duplicate', known } end
local held = redis.call('HMGET', KEYS[1], 'facts', 'expiry', 'status')
if held[1] then return { 'held', held[1], held[2], held[3] } end
if ARGV[7] == '1' then return { 'late' } end

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[1])
local limit = tonumber(ARGV[6])
if redis.call('ZCARD', KEYS[2]) >= limit then
  local owned, mine = 0, ARGV[5] .. '|'
  for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    if string.sub(member, 1, #mine) == mine then owned = owned + 1 end
  end
  if owned >= limit then return { 'limit' } end
end

redis.call('HSET', KEYS[1], 'facts', ARGV[4], 'expiry', ARGV[3], 'status', 'open', 'owner', ARGV[5])
-- How long from now: our clock and the server's need not agree.
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', tonumber(ARGV[3]) - tonumber(ARGV[1]) + tonumber(ARGV[10])))
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[5] .. '|' .. ARGV[2])
if ARGV[9] ~= '' then redis.call('ZADD', KEYS[4], ARGV[3], ARGV[9]) end
if ARGV[8] == '1' then redis.call('SET', KEYS[3], ARGV[2], 'PX', 86400000) end
return { 'held', ARGV[4], ARGV[3], 'open' }
