-- Cancels what a batch has not drawn, once: the rest of its reserve goes back to its account.
-- Returns {'moved', state}, {'again', state}, {'gone'}, {'version'}, {'status', status} or {'limit'}: the account has no room for it.
local s, now = batch_state(batch), step_now()
if not s then return { 'gone' } end
if s.status == 'CANCELLED' and comes_again(s, version) then return { 'again', batch_text(s) } end
if version ~= '' and s.version ~= version then return { 'version' } end
if s.status == 'DONE' or s.status == 'CANCELLED' then return { 'status', s.status } end
local name = 'batch:' .. batch_id
local rest = balance_of(balances, currency, name)
if not has_room(balance_of(balances, currency, account), rest) then return { 'limit' } end

must_be('stream', journal, 'journal')
must_be('zset', open_batches, 'open batches')
must_be('zset', queue, 'queue of a batch')
must_be('hash', contents, 'contents of a batch')
may_wake(overdue, due)
may_append_event(batch)
may_repay(client, balances, currency, account, rest)
local before = batch_text(s)
-- No refusal after this point.
if rest ~= '0' then
  local moves = {}
  move(balances, moves, currency, name, account, rest)
  write_journal(journal, 'cancel-batch', batch_id, now, moves, { actor = actor, reason = reason })
end
redis.call('HDEL', balances, currency .. '/' .. name)
redis.call('DEL', queue)
redis.call('DEL', contents)
redis.call('ZREM', open_batches, batch_id)
s.status = 'CANCELLED'
write_batch(batch, s, now, true)
batch_moved(batch, batch_id, s, before, now)
repay_credits(client, balances, journal, batch_id, now)
if rest ~= '0' then wake(overdue, due, client, account, now) end
return { 'moved', batch_text(s) }
