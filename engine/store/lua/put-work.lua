-- What was put off until now goes into the stream of work, once.
-- KEYS: due, work. ARGV: due entry, client, payment id or '' (its waiting payments), the step that the payment had taken. Returns 1, or 0 when
-- somebody was faster.
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return 0 end
if ARGV[3] == '' then put_work(KEYS[2], 'client', ARGV[2], 'wake', '1')
else put_work(KEYS[2], 'client', ARGV[2], 'payment', ARGV[3], 'step', ARGV[4]) end
return 1
