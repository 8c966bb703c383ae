-- Records money announced for an account; nothing moves yet.
-- Order: replay or REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, then the refusal determined before the step.
-- Returns {'created'}, {'replayed', facts, actor} or {'refused', code, text}.
local known = fingerprint ~= '' and receipt_of(receipt)
if known then
  if known.fingerprint ~= fingerprint or known.kind ~= 'funding' then return { 'refused', 'REQUEST_ID_REUSED', '' } end
  local first = redis.call('HMGET', fundings .. known.id, 'facts', 'creator')
  return { 'replayed', first[1], first[2] }
end
local currency, active = account_state(redis.call('HGET', accounts, account))
if not currency then return { 'refused', 'UNKNOWN_ACCOUNT', '' } end
if not active then return { 'refused', 'ACCOUNT_INACTIVE', '' } end
if refusal_code ~= '' then return { 'refused', refusal_code, refusal_text } end

must_be('stream', journal, 'journal')
must_be('hash', funding, 'funding')
may_append_event(journal)
must_be('zset', index, 'index of fundings')
if completes_at_ms ~= '' then must_be('zset', due, 'due list') end
local now = step_now()
local entry = write_journal(journal, 'fund', funding_id, now, {}, { actor = actor, hash = facts_hash(facts) })
redis.call('HSET', funding, 'facts', facts, 'status', 'PENDING', 'updatedAt', created_at_ms, 'creator', actor, 'actor', actor,
  'reason', '', 'journal:PENDING', entry)
add_to_index(index, created_at_ms, funding_id)
if fingerprint ~= '' then
  write_receipt(receipt, kept_ms, 'funding', funding_id, fingerprint)
end
if completes_at_ms ~= '' then put_due(due, completes_at_ms, 'fund:' .. client .. ':' .. funding_id) end
append_event(journal, 'funding.created', funding_id, now, 'PENDING|' .. created_at_ms)
return { 'created' }
