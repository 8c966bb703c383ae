-- What was put off, and is due, goes into the stream of work, once.
-- KEYS: due, work. ARGV: due entry, client, payment id or '' (its waiting payments), the step that the payment had taken. Returns 1, or 0 when
-- its time has not come, or another process was faster.
if not is_due(KEYS[1], ARGV[1], step_now()) then return 0 end
must_be('stream', KEYS[2], 'stream of work')
redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[3] == '' then put_work(KEYS[2], 'client', ARGV[2], 'wake', '1')
else put_work(KEYS[2], 'client', ARGV[2], 'payment', ARGV[3], 'step', ARGV[4]) end
return 1
