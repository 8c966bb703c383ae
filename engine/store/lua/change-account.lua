-- Changes an account; a field that is '' stays as it is. Waiting payments, and overdue conversions that sell from it or buy into it, are due:
-- the change may be what they wait for.
-- KEYS: accounts, overdue, due, overdue by the account bought into. ARGV: number, active ('1', '0' or ''), sequence, '=label' or '',
-- '1' to make it its currency's default, client. Returns 1, or 0 when there is no such account.
local record, now = redis.call('HGET', KEYS[1], ARGV[1]), step_now()
if not record then return 0 end
may_wake(KEYS[2], KEYS[3])
must_be('zset', KEYS[4], 'overdue conversions by the account bought into')
local currency, active, sequence, label = string.match(record, '^(%u%u%u) ([01]) (%d+) (.*)$')
if ARGV[2] ~= '' then active = ARGV[2] end
if ARGV[3] ~= '' then sequence = ARGV[3] end
if ARGV[4] ~= '' then label = string.sub(ARGV[4], 2) end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%s %s %s %s', currency, active, sequence, label))
if ARGV[5] == '1' then redis.call('HSET', KEYS[1], 'default:' .. currency, ARGV[1]) end
if ARGV[2] ~= '' or ARGV[3] ~= '' or ARGV[5] == '1' then
  wake(KEYS[2], KEYS[3], ARGV[6], ARGV[1], now)
  wake_overdue(KEYS[4], KEYS[3], ARGV[6], ARGV[1], now)
end
return 1
