-- Releases a held rate. A repeated release succeeds. One that a payment has reserved, which waits for its funds, is used.
-- Returns {'released', facts, expiry}, {'taken-over'} or {'refused', code, facts, expiry}: HOLD_NOT_FOUND, HOLD_USED, HOLD_EXPIRED.
if epoch ~= '' and not holds_session(session, epoch) then return { 'taken-over' } end
local now, held = step_now(), redis.call('HMGET', hold, 'status', 'facts', 'expiry', 'owner')
local status, facts, expiry = held[1], held[2], held[3]
if not status then return { 'refused', 'HOLD_NOT_FOUND', '', '' } end
local is_late = tonumber(now) > tonumber(expiry)
if status == 'used' or status == 'reserved' and not is_late then return { 'refused', 'HOLD_USED', facts, expiry } end
if status == 'expired' or status == 'withdrawn' or status ~= 'released' and is_late then
  return { 'refused', 'HOLD_EXPIRED', facts, expiry }
end
may_end_hold(open_holds, hold_id)
must_be('zset', due, 'due list')
may_append_event(hold)
redis.call('HSET', hold, 'status', 'released')
redis.call('PEXPIRE', hold, hold_kept_ms(hold, kept_ms))
end_hold(open_holds, held[4], hold_id)
redis.call('ZREM', due, due_entry)
if status == 'open' then append_event(hold, 'hold.revoked', hold_id, now, 'released|open') end
return { 'released', facts, expiry }
