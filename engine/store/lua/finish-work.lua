-- Takes an entry out of the work stream, which asked for nothing that is left to do. KEYS: work, payment (or a key of nothing).
-- ARGV: entry, the step that the payment had taken, or '' (the payment has nothing to say to it).
if ARGV[2] ~= '' then must_be('hash', KEYS[2], 'payment') end
redis.call('XACK', KEYS[1], 'workers', ARGV[1])
redis.call('XDEL', KEYS[1], ARGV[1])
if ARGV[2] ~= '' and redis.call('HGET', KEYS[2], 'busy') == ARGV[2] then redis.call('HSET', KEYS[2], 'busy', '') end
return 1
