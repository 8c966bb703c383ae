-- Reserves the total of a closed batch in the client's sub-account `batch:<id>`, once, and queues its items; a worker draws each by a step of
-- its own. `queued` are the members of the queue, whose reserves make the total.
-- Order: the batch, its version, its status, ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE (also where an older payment waits for the account's money).
-- Returns {'moved', state}, {'again', state} (it is funded), {'gone'}, {'version'}, {'status', status} or {'refused', code, more}.
local s, now = batch_state(batch), step_now()
if not s then return { 'gone' } end
if s.status == 'PROCESSING' or s.status == 'DONE' then return { 'again', batch_text(s) } end
if s.version ~= version then return { 'version' } end
if s.status ~= 'CLOSED' then return { 'status', s.status } end
local found, active = account_state(redis.call('HGET', accounts, account))
if found ~= currency or not active then return { 'refused', 'ACCOUNT_INACTIVE', '' } end
local balance = free_balance(balances, currency, account)
if tonumber(balance) < tonumber(total) then return { 'refused', 'INSUFFICIENT_BALANCE', balance .. ' ' .. total .. ' ' .. currency } end
if is_behind(waiting, '', accounts, { account }) then return { 'refused', 'INSUFFICIENT_BALANCE', 'waiting' } end

must_be('stream', journal, 'journal')
must_be('zset', queue, 'queue of a batch')
must_be('stream', work, 'stream of work')
may_append_event(batch)
local before = batch_text(s)
-- No refusal after this point.
local moves = {}
move(balances, moves, currency, account, 'batch:' .. batch_id, total)
write_journal(journal, 'fund-batch', batch_id, now, moves, { actor = 'client' })
for _, member in ipairs(queued) do redis.call('ZADD', queue, 0, member) end
s.status, s.total = 'PROCESSING', total
write_batch(batch, s, now, true)
batch_moved(batch, batch_id, s, before, now)
enqueue_work(work, 'client', client, 'batch', batch_id)
return { 'moved', batch_text(s) }
