-- Locks a rate for its client. Repeating the same hold or the same request changes nothing.
-- The value of open holds is summed over those of the index: a hold that is used, released, revoked or expired has left it.
-- Returns, in this order, {'taken-over'}, {'duplicate', hold id}, {'held', facts, expiry, status}, {'late'}, {'limit'}, {'unpriced'},
-- {'over', US cents of the open holds}, {'platform', 'number' or 'over'}, {'no-exposure'}, {'no-room'},
-- {'credit', a limit} or {'held', facts, expiry, status,
-- 'new'}.
if epoch ~= '' and not holds_session(session, epoch) then return { 'taken-over' } end
local known = has_quote_request == '1' and redis.call('GET', quote_request)
if known and not has_ended(quote_request) then return { 'duplicate', known } end
local held = redis.call('HMGET', hold, 'facts', 'expiry', 'status')
if held[1] then return { 'held', held[1], held[2], held[3] } end
local now = step_now()
if is_closed == '1' or tonumber(now) > tonumber(until_ms) or tonumber(now) > tonumber(expiry_ms) then return { 'late' } end

local limit, open = tonumber(open_max), redis.call('ZRANGE', open_holds, now, '+inf', 'BYSCORE')
if #open >= limit then
  local owned, mine = 0, owner .. '|'
  for _, member in ipairs(open) do
    if string.sub(member, 1, #mine) == mine then owned = owned + 1 end
  end
  if owned >= limit then return { 'limit' } end
end

if usd == '' then return { 'unpriced' } end
local sum = 0
for _, member in ipairs(open) do
  local its_usd = redis.call('HGET', holds .. string.match(member, '|(.+)$'), 'usd')
  if not its_usd then error('an open hold has no value: run ratewire reconcile', 0) end
  sum = sum + tonumber(its_usd)
end
-- Each is below 10^15: the sum is exact.
if sum + tonumber(usd) > tonumber(limit_usd) then return { 'over', string.format('%.0f', sum) } end
if owes(hold) then return { 'credit', 'receivable' } end
local together, written = judge_held(open_holds, now, usd, platform_usd, platform_max)
if together and together ~= '' then return { 'platform', together } end
if exceeded ~= '' then return { 'credit', exceeded } end
-- A two-way hold is booked in one of its directions: one that passes is enough.
local refused = ''
for _, direction in ipairs(limits ~= '' and cjson.decode(limits) or {}) do
  local name = judge_deals(direction, bookings, now, 0)
  if name == 'no-exposure' then return { name } end
  -- Room that is missing may come, a limit that is exceeded stays so.
  if name == '' or name == 'no-room' or refused == '' then refused = name end
  if name == '' then break end
end
if refused == 'no-room' then return { refused } end
if refused ~= '' then return { 'credit', refused } end

-- One that counts for a platform leaves its sum when it expires.
local has_due = may_append_event(hold) or notifies == '1' or together ~= nil
if has_due then must_be('zset', due, 'due list') end
redis.call('ZREMRANGEBYSCORE', open_holds, '-inf', '(' .. now)
redis.call('HSET', hold, 'facts', facts, 'expiry', expiry_ms, 'status', 'open', 'owner', owner, 'usd', usd)
-- Relative to now: the server expires keys by its own clock, without a sandbox's offset.
redis.call('PEXPIRE', hold, later(expiry_ms - now, hold_kept_ms(hold, kept_ms)))
redis.call('ZADD', open_holds, expiry_ms, owner .. '|' .. hold_id)
if together then write_held(open_holds, hold_id, usd, written) end
if has_due then put_due(due, expiry_ms, due_entry) end
if has_quote_request == '1' then redis.call('SET', quote_request, hold_id, 'PX', 86400000 + CLOCK_MARGIN_MS) end
append_event(hold, 'hold.locked', hold_id, now, 'open')
return { 'held', facts, expiry_ms, 'open', 'new' }
