-- Writes down money that is said to be on its way to an account; nothing moves yet.
-- KEYS: receipt (or a key of nothing, without a request id), accounts, funding, journal, index, due.
-- ARGV: 1 createdAtMs of the facts or '', 2 fingerprint or '' (without a request id), 3 funding id, 4 client, 5 account, 6 code of a refusal
-- found before or '', 7 its text, 8 facts, 9 fundings begin with, 10 receipts kept ms, 11 when the sandbox takes it up ms, or '' (never), 12 actor.
-- Order: replay or REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, then what was found before.
-- Returns {'created'}, {'replayed', facts, actor} or {'refused', code, text}.
local receipt, id = KEYS[1], ARGV[3]
if ARGV[2] ~= '' and redis.call('EXISTS', receipt) == 1 then
  local known = redis.call('HMGET', receipt, 'fingerprint', 'funding')
  if known[1] ~= ARGV[2] or not known[2] then return { 'refused', 'REQUEST_ID_REUSED', '' } end
  local first = redis.call('HMGET', ARGV[9] .. known[2], 'facts', 'creator')
  return { 'replayed', first[1], first[2] }
end
local currency, active = account_state(redis.call('HGET', KEYS[2], ARGV[5]))
if not currency then return { 'refused', 'UNKNOWN_ACCOUNT', '' } end
if not active then return { 'refused', 'ACCOUNT_INACTIVE', '' } end
if ARGV[6] ~= '' then return { 'refused', ARGV[6], ARGV[7] } end

must_be('stream', KEYS[4], 'journal')
must_be('hash', KEYS[3], 'funding')
must_be('zset', KEYS[5], 'index of fundings')
if ARGV[11] ~= '' then must_be('zset', KEYS[6], 'due list') end
local entry = write_journal(KEYS[4], 'fund', id, step_now(), {}, ARGV[12], '', 'hash', facts_hash(ARGV[8]))
redis.call('HSET', KEYS[3], 'facts', ARGV[8], 'status', 'PENDING', 'updatedAt', ARGV[1], 'creator', ARGV[12], 'actor', ARGV[12],
  'reason', '', 'journal:PENDING', entry)
add_to_index(KEYS[5], ARGV[1], id)
if ARGV[2] ~= '' then
  redis.call('HSET', receipt, 'fingerprint', ARGV[2], 'funding', id)
  redis.call('PEXPIRE', receipt, ARGV[10])
end
if ARGV[11] ~= '' then redis.call('ZADD', KEYS[6], ARGV[11], 'fund:' .. ARGV[4] .. ':' .. id) end
return { 'created' }
