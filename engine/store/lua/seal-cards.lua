-- Removes card numbers in clear from a payment's facts, when these have not changed since they were read. Returns 1, else 0.
if redis.call('HGET', payment, 'f') ~= facts then return 0 end
local state = payment_state(payment)
redis.call('HSET', payment, 'f', sealed_facts)
if cards ~= '' and not NEEDS_NO_CARD[state.status] then redis.call('HSET', payment, 'c', cards) end
return 1
