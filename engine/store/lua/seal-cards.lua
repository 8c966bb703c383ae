-- Takes card numbers that were kept in clear out of a payment's facts, when these are still the ones that were read. Returns 1, else 0.
-- KEYS: payment. ARGV: 1 facts as they were read, 2 facts without card numbers, 3 the numbers, encrypted, or ''.
local found = redis.call('HMGET', KEYS[1], 'facts', 'status')
if found[1] ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'facts', ARGV[2])
if ARGV[3] ~= '' and not NEEDS_NO_CARD[found[2]] then redis.call('HSET', KEYS[1], 'cards', ARGV[3]) end
return 1
