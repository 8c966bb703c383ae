-- Opens an account; the first in its currency is that currency's default.
-- Returns 'opened', 'exists' or 'limit'.
if redis.call('HEXISTS', accounts, number) == 1 then return 'exists' end
if redis.call('HLEN', accounts) >= tonumber(accounts_max) then return 'limit' end
must_be('hash', balances, 'balances')
redis.call('HSET', accounts, number, string.format('%s 1 %s %s', currency, sequence, label))
redis.call('HSETNX', balances, currency .. '/' .. number, '0')
local default = 'default:' .. currency
if make_default == '1' or redis.call('HEXISTS', accounts, default) == 0 then redis.call('HSET', accounts, default, number) end
return 'opened'
