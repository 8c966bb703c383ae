-- Removes an entry of the work stream that requested nothing that is left to do, and the due entry of the same step.
local state
if step ~= '' then
  state = payment_state(payment)
  must_be('zset', due, 'due list')
end
if entry ~= '' then
  redis.call('XACK', work, 'workers', entry)
  redis.call('XDEL', work, entry)
end
if step ~= '' then
  redis.call('ZREM', due, due_entry)
  if state and state.step == step and state.busy == '1' then
    state.busy = ''
    redis.call('HSET', payment, 's', state_text(state))
  end
end
return 1
