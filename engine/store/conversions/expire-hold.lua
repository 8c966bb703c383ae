-- Expires a hold, and notifies the session that locked it. 1 when it has just expired, else 0.
local now, held = step_now(), redis.call('HMGET', hold, 'status', 'expiry', 'owner')
local is_open = held[1] == 'open' or held[1] == 'reserved'
if is_open and tonumber(now) <= tonumber(held[2]) then return 0 end
if is_open then
  may_end_hold(open_holds, hold_id)
  if is_of_session == '1' then must_be('stream', outbox, 'outbox of a session') end
  may_append_event(hold)
end
redis.call('ZREM', due, due_entry)
if not is_open then return 0 end
redis.call('HSET', hold, 'status', 'expired')
end_hold(open_holds, held[3], hold_id)
if may_append_event(hold) then redis.call('PEXPIRE', hold, hold_kept_ms(hold, '')) end
if is_of_session == '1' then add_to_outbox(outbox, 'hold-expired', hold_id) end
append_event(hold, 'hold.expired', hold_id, now, 'expired|' .. held[1])
return 1
