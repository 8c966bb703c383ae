-- Takes an open hold back from its client: it can be booked no more, and the session that asked for it is told. 1, else 0. A payment that
-- waits for it is looked at: it is in nobody's way any more.
-- KEYS: hold, open holds, due, outbox, overdue. ARGV: hold id, due entry, kept after the end ms, client, '1' where a session owns it.
local held = redis.call('HMGET', KEYS[1], 'status', 'expiry', 'owner')
-- One whose time is over expires, and is told as expired.
if held[1] ~= 'open' or tonumber(step_now()) > tonumber(held[2]) then return 0 end
must_be('zset', KEYS[2], 'open holds')
must_be('zset', KEYS[3], 'due list')
if ARGV[5] == '1' then must_be('stream', KEYS[4], 'outbox of a session') end
may_wake_payments(KEYS[5])
redis.call('HSET', KEYS[1], 'status', 'withdrawn')
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('ZREM', KEYS[2], held[3] .. '|' .. ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[2])
if ARGV[5] == '1' then tell_session(KEYS[4], 'hold-withdrawn', ARGV[1]) end
wake_payments(KEYS[5], ARGV[4])
return 1
