-- Opens an account; the first in its currency is that currency's default.
-- Returns 'opened', 'exists' or 'limit'.
if redis.call('HEXISTS', accounts, number) == 1 then return 'exists' end
if redis.call('HLEN', accounts) >= tonumber(accounts_max) then return 'limit' end
local now = step_now()
must_be('hash', balances, 'balances')
may_append_event(accounts)
local record = string.format('%s 1 %s %s', currency, sequence, label)
redis.call('HSET', accounts, number, record)
redis.call('HSETNX', balances, currency .. '/' .. number, '0')
local before = redis.call('HGET', accounts, 'default:' .. currency)
local is_default = make_default == '1' or not before
if is_default then redis.call('HSET', accounts, 'default:' .. currency, number) end
append_event(accounts, 'account.opened', number, now, account_text(record, is_default))
if is_default and before then default_moved(accounts, before, now) end
return 'opened'
