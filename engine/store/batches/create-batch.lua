-- Creates an empty batch. Order: the batch of this request id, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, BATCH_LIMIT.
-- Returns {'created', state}, {'known', batch id}, or {'refused', code}.
local known = redis.call('HGET', batch_requests, request_id)
if known then return { 'known', known } end
local found, active = account_state(redis.call('HGET', accounts, account))
if found ~= currency then return { 'refused', 'UNKNOWN_ACCOUNT' } end
if not active then return { 'refused', 'ACCOUNT_INACTIVE' } end
if redis.call('ZCARD', open_batches) >= tonumber(open_max) then return { 'refused', 'BATCH_LIMIT' } end

must_be('zset', index, 'index of batches')
must_be('hash', batch, 'batch')
may_append_event(batch)
local s = {
  status = 'OPEN', version = '1', items = '0', last_number = '0', total = '0', drawn = '0', drawn_amount = '0', refused = '0',
  refused_amount = '0',
}
local now = step_now()
write_batch(batch, s, now)
redis.call('HSET', batch, 'f', facts)
redis.call('HSET', batch_requests, request_id, batch_id)
redis.call('ZADD', open_batches, created_at_ms, batch_id)
add_to_index(index, created_at_ms, batch_id)
append_event(batch, 'batch.created', batch_id, now, both_texts(batch_text(s), ''))
return { 'created', batch_text(s) }
