-- Removes card numbers in clear from a payment's facts, when these have not changed since they were read. Returns 1, else 0.
local found = redis.call('HMGET', payment, 'facts', 'status')
if found[1] ~= facts then return 0 end
redis.call('HSET', payment, 'facts', sealed_facts)
if cards ~= '' and not NEEDS_NO_CARD[found[2]] then redis.call('HSET', payment, 'cards', cards) end
return 1
