-- Opens an account; the first in its currency is that currency's default.
-- KEYS: accounts, balances. ARGV: number, currency, sequence, label, '1' to make it the default, how many there may be.
-- Returns 'opened', 'exists' or 'limit'.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 'exists' end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[6]) then return 'limit' end
must_be('hash', KEYS[2], 'balances')
redis.call('HSET', KEYS[1], ARGV[1], string.format('%s 1 %s %s', ARGV[2], ARGV[3], ARGV[4]))
redis.call('HSETNX', KEYS[2], ARGV[2] .. '/' .. ARGV[1], '0')
local default = 'default:' .. ARGV[2]
if ARGV[5] == '1' or redis.call('HEXISTS', KEYS[1], default) == 0 then redis.call('HSET', KEYS[1], default, ARGV[1]) end
return 'opened'
