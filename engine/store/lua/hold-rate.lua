-- Holds a rate for its client. The same hold again, and the same request again, change nothing.
-- KEYS: hold, open holds, quote request, due, session. ARGV: 1 until when the offer may be taken ms, 2 hold id, 3 expiry ms, 4 facts, 5 owner,
-- 6 open holds an owner may have, 7 '1' when the offer may not be taken for another reason, 8 '1' when it has a quote request, 9 due entry or
-- '', 10 kept after the end ms,
-- 11 the epoch in which the caller has the session, or '' (it has let it go, or there is none), 12 US cents that it counts or '' (not
-- known), 13 US cents that the client's open holds may come to, 14 holds begin with, then id and US cents of open holds kept without.
-- What open holds come to is summed over those of the index: one that is used, released, withdrawn or over has left it.
-- Returns, in this order, {'taken-over'}, {'duplicate', hold id}, {'held', facts, expiry, status}, {'late'}, {'limit'}, {'unpriced'},
-- {'unvalued', ids of open holds without US cents ...}, {'over', US cents of the open holds} or {'held', facts, expiry, status}.
if ARGV[11] ~= '' and not holds_session(KEYS[5], ARGV[11]) then return { 'taken-over' } end
local known = ARGV[8] == '1' and redis.call('GET', KEYS[3])
if known then return { 'duplicate', known } end
local held = redis.call('HMGET', KEYS[1], 'facts', 'expiry', 'status')
if held[1] then return { 'held', held[1], held[2], held[3] } end
local now = step_now()
if ARGV[7] == '1' or tonumber(now) > tonumber(ARGV[1]) or tonumber(now) > tonumber(ARGV[3]) then return { 'late' } end

local limit, open = tonumber(ARGV[6]), redis.call('ZRANGE', KEYS[2], now, '+inf', 'BYSCORE')
if #open >= limit then
  local owned, mine = 0, ARGV[5] .. '|'
  for _, member in ipairs(open) do
    if string.sub(member, 1, #mine) == mine then owned = owned + 1 end
  end
  if owned >= limit then return { 'limit' } end
end

if ARGV[12] == '' then return { 'unpriced' } end
local given, unvalued, sum = {}, { 'unvalued' }, 0
for i = 15, #ARGV, 2 do given[ARGV[i]] = ARGV[i + 1] end
for _, member in ipairs(open) do
  local id = string.match(member, '|(.+)$')
  local usd = redis.call('HGET', ARGV[14] .. id, 'usd') or given[id]
  if usd then sum = sum + tonumber(usd) else unvalued[#unvalued + 1] = id end
end
if #unvalued > 1 then return unvalued end
-- Each is below 10^15: the sum is exact.
if sum + tonumber(ARGV[12]) > tonumber(ARGV[13]) then return { 'over', string.format('%.0f', sum) } end

if ARGV[9] ~= '' then must_be('zset', KEYS[4], 'due list') end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. now)
redis.call('HSET', KEYS[1], 'facts', ARGV[4], 'expiry', ARGV[3], 'status', 'open', 'owner', ARGV[5], 'usd', ARGV[12])
-- How long from now: the server expires keys by its own clock, which a sandbox's offset does not turn.
redis.call('PEXPIRE', KEYS[1], later(ARGV[3] - now, ARGV[10]))
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[5] .. '|' .. ARGV[2])
if ARGV[9] ~= '' then redis.call('ZADD', KEYS[4], ARGV[3], ARGV[9]) end
if ARGV[8] == '1' then redis.call('SET', KEYS[3], ARGV[2], 'PX', 86400000) end
return { 'held', ARGV[4], ARGV[3], 'open' }
