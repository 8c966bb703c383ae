-- One account at one moment.
-- Returns its balance and the last journal entry that it includes, '0-0' when there is none.
local last = redis.call('XREVRANGE', journal, '+', '-', 'COUNT', 1)
return { redis.call('HGET', balances, account) or '0', last[1] and last[1][1] or '0-0' }
