-- Revokes an open hold, also one that a payment has reserved: it can no longer be booked, and the session that locked it is notified. 1, else 0. A payment that waits for it is
-- retried: it blocks no other any more.
local now, held = step_now(), redis.call('HMGET', hold, 'status', 'expiry', 'owner')
-- One whose time has passed expires, and is reported as expired.
if held[1] ~= 'open' and held[1] ~= 'reserved' or tonumber(now) > tonumber(held[2]) then return 0 end
may_end_hold(open_holds, hold_id)
must_be('zset', due, 'due list')
if is_of_session == '1' then must_be('stream', outbox, 'outbox of a session') end
may_wake_payments(overdue)
may_append_event(hold)
redis.call('HSET', hold, 'status', 'withdrawn', 'withdrawnFor', reason)
redis.call('PEXPIRE', hold, hold_kept_ms(hold, kept_ms))
end_hold(open_holds, held[3], hold_id)
redis.call('ZREM', due, due_entry)
if is_of_session == '1' then add_to_outbox(outbox, 'hold-withdrawn', hold_id) end
wake_payments(overdue, client)
append_event(hold, 'hold.revoked', hold_id, now, 'withdrawn|' .. held[1])
return 1
