-- Moves a payment to its next status, once, with the step's moves; and to `then_to` in a step of its own, where that follows at once.
-- Returns {'moved', last step, at ms}, {'status', status} (which does not allow it, '' for no payment), {'done'} (the step was taken before),
-- {'limit'} or {'early'} (the time of that entry has not come).
local now = step_now()
local function acknowledge()
  if work_entry == '' then return end
  redis.call('XACK', work, 'workers', work_entry)
  redis.call('XDEL', work, work_entry)
end

local state = payment_state(payment)
local status, before = state and state.status, state and state.step
if last_step ~= '' and before ~= last_step then
  acknowledge()
  return { 'done' }
end
if not status or not string.find(',' .. from .. ',', ',' .. status .. ',', 1, true) then
  acknowledge()
  return { 'status', status or '' }
end

if due_entry ~= '' and not is_due(due, due_entry, now) then return { 'early' } end

must_be('stream', journal, 'journal')
must_be('zset', waiting, 'queue of waiting payments')
must_be('zset', due, 'due list')
must_be('stream', work, 'stream of work')
may_append_event(journal)
may_wake(overdue, due)
local account, transit, fees
if money ~= 'none' then
  account, transit, fees = string.match(redis.call('HGET', payment, 'm') or '', '^([^|]*)|[^|]*|([^|]*)|([^|]*)|')
end
local currency = money ~= 'none' and account_state(redis.call('HGET', accounts, account))
local moves, fields = {}, bank_reference ~= '' and { 'b', bank_reference } or {}
if money == 'paid' then
  if not house_has_room(balance_of(balances, currency, 'nostro')) then return { 'limit' } end
  move(balances, moves, currency, 'transit', 'nostro', transit)
elseif money ~= 'none' then
  -- A refund to an account without room waits until there is some.
  local back = money == 'refund' and string.format('%.0f', tonumber(transit) + tonumber(fees)) or transit
  if not has_room(balance_of(balances, currency, account), back) then return { 'limit' } end
  if status == 'PAID' and not house_has_room(balance_of(balances, currency, 'nostro')) then return { 'limit' } end
  move(balances, moves, currency, status == 'PAID' and 'nostro' or 'transit', account, transit)
  if money == 'refund' then move(balances, moves, currency, 'house:fees', account, fees) end
  may_repay(client, balances, currency, account, back)
end

-- No refusal after this point.
if status == 'AWAITING_FUNDS' then
  leave_queue(waiting, payment_id)
  free_hold(payment, payment_id, now)
  redis.call('ZREM', due, 'expire:' .. client .. ':' .. payment_id)
  wake_payments(overdue, client)
end
if is_attempt == '1' then state.attempts = string.format('%.0f', tonumber(state.attempts) + 1) end
local steps = { { to = to, sub = sub_status, text = description, moves = moves, actor = actor, reason = reason } }
if then_to ~= '' then steps[2] = { to = then_to, actor = then_actor } end
local step = payment_steps(payment, journal, payment_id, now, state, steps, next ~= '', fields)
acknowledge()
redis.call('ZREM', due, due_work(client, payment_id, before))
if next == 'now' then
  enqueue_work(work, 'client', client, 'payment', payment_id, 'step', step)
elseif next ~= '' then
  put_due(due, later(now, next), due_work(client, payment_id, step))
end
repay_credits(client, balances, journal, payment_id, now)
if money == 'refund' or money == 'return' then wake(overdue, due, client, account, now) end
return { 'moved', step, now }
