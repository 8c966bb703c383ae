-- Stores a new beneficiary. Its record is a hash: `s` the state, `<version>|<status>|<updated at>|<created at>|<account, an HMAC>|<versions whose
-- fields differ from those before, ascending>`; `f` the newest fields, `f<version>` earlier ones; `c` its card numbers, encrypted.
-- Order: replay or REQUEST_ID_REUSED, DUPLICATE_BENEFICIARY, BENEFICIARY_LIMIT.
-- Returns {'created'}, {'replayed', beneficiary id} or {'refused', code, id of the beneficiary that has the account}.
local known = receipt_of(receipt)
if known then
  if known.fingerprint ~= fingerprint or known.kind ~= 'beneficiary' then return { 'refused', 'REQUEST_ID_REUSED', '' } end
  return { 'replayed', known.id }
end
local first = redis.call('HGET', payees, account)
if first then return { 'refused', 'DUPLICATE_BENEFICIARY', first } end
if redis.call('ZCARD', index) >= tonumber(most) then return { 'refused', 'BENEFICIARY_LIMIT', '' } end

must_be('hash', beneficiary, 'beneficiary')
may_append_event(beneficiary)
local now = created_at_ms
redis.call('HSET', beneficiary, 's', '1|ACTIVE|' .. now .. '|' .. now .. '|' .. account .. '|1', 'f', facts)
if cards ~= '' then redis.call('HSET', beneficiary, 'c', cards) end
redis.call('HSET', payees, account, beneficiary_id)
add_to_index(index, now, beneficiary_id)
write_receipt(receipt, kept_ms, 'beneficiary', beneficiary_id, fingerprint)
append_event(beneficiary, 'beneficiary.created', beneficiary_id, now, '1|ACTIVE|')
return { 'created' }
