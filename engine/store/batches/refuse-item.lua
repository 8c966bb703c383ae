-- Records, once, that an item of a batch cannot become a payment, and returns its part of the reserve.
-- Returns {'refused'}, {'done'} (another worker was faster, or the batch is cancelled), or {'limit'}: the account has no room for it.
if not redis.call('ZSCORE', queue, queued) then return { 'done' } end
local reserve = string.match(queued, '^%d+|[^|]*|(%d+)|')
if not has_room(balance_of(balances, currency, account), reserve) then return { 'limit' } end
local now = step_now()
local b = { id = batch_id, batch = batch, queue = queue, contents = contents, open = open_batches }
must_be('stream', journal, 'journal')
may_take_item(b)
may_wake(overdue, due)
may_repay(client, balances, currency, account, reserve)
take_item(b, queued, 'R|' .. code .. '|' .. text, balances, journal, currency, account, now)
repay_credits(client, balances, journal, batch_id, now)
wake(overdue, due, client, account, now)
return { 'refused' }
