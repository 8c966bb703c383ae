-- Gives a held rate back. Released again it is still released. A payment that waits for it is looked at: it is in nobody's way any more.
-- KEYS: hold, open holds, due, overdue, session. ARGV: hold id, due entry, kept after the end ms, client, the epoch in which the
-- caller has the session, or '' (it has let it go, or there is none).
-- Returns {'released', facts, expiry}, {'taken-over'} or {'refused', code, facts, expiry}: HOLD_NOT_FOUND, HOLD_USED, HOLD_EXPIRED.
if ARGV[5] ~= '' and not holds_session(KEYS[5], ARGV[5]) then return { 'taken-over' } end
local held = redis.call('HMGET', KEYS[1], 'status', 'facts', 'expiry', 'owner')
local status, facts, expiry = held[1], held[2], held[3]
if not status then return { 'refused', 'HOLD_NOT_FOUND', '', '' } end
if status == 'used' then return { 'refused', 'HOLD_USED', facts, expiry } end
if status == 'expired' or status == 'withdrawn' or (status == 'open' and tonumber(step_now()) > tonumber(expiry)) then
  return { 'refused', 'HOLD_EXPIRED', facts, expiry }
end
must_be('zset', KEYS[2], 'open holds')
must_be('zset', KEYS[3], 'due list')
may_wake_payments(KEYS[4])
redis.call('HSET', KEYS[1], 'status', 'released')
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('ZREM', KEYS[2], held[4] .. '|' .. ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[2])
wake_payments(KEYS[4], ARGV[4])
return { 'released', facts, expiry }
