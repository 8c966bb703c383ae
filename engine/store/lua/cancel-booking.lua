-- Gives up a scheduled conversion that has not settled: 'cancelled', or the status that does not allow it ('' for no booking).
-- KEYS: booking, journal, scheduled, due, overdue. ARGV: now ms, client, confirmation id, sell currency, sell.
local found = redis.call('HMGET', KEYS[1], 'status', 'sellAccount')
local status = found[1]
if status ~= 'OPEN' and status ~= 'OVERDUE' then return status or '' end
redis.call('HSET', KEYS[1], 'status', 'CANCELLED')
redis.call('HINCRBY', KEYS[3], ARGV[4], '-' .. ARGV[5])
redis.call('ZREM', KEYS[4], 'settle:' .. ARGV[2] .. ':' .. ARGV[3])
redis.call('ZREM', KEYS[5], found[2] .. '|' .. ARGV[3])
write_journal(KEYS[2], 'cancel-fx', ARGV[3], ARGV[1], {})
return 'cancelled'
