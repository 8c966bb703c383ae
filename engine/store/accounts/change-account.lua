-- Changes an account; absent fields stay. Waiting payments, and overdue conversions that sell from it or buy into it, become due: they may
-- wait for the change.
-- Returns 1, or 0 when there is no such account.
local record, now = redis.call('HGET', accounts, number), step_now()
if not record then return 0 end
may_wake(overdue, due)
may_append_event(accounts)
must_be('zset', due, 'due list')
must_be('zset', overdue_into, 'overdue conversions by the account bought into')
local currency, was_active, old_sequence, old_label = string.match(record, '^(%u%u%u) ([01]) (%d+) (.*)$')
local default = 'default:' .. currency
local former = redis.call('HGET', accounts, default)
local changed = string.format('%s %s %s %s', currency, active ~= '' and active or was_active, sequence ~= '' and sequence or old_sequence,
  label ~= '' and string.sub(label, 2) or old_label)
redis.call('HSET', accounts, number, changed)
if make_default == '1' then redis.call('HSET', accounts, default, number) end
if active ~= '' or sequence ~= '' or make_default == '1' then
  wake(overdue, due, client, number, now)
  wake_overdue(overdue_into, due, client, number, now)
end
local before = account_text(record, former == number)
changed = account_text(changed, make_default == '1' or former == number)
if changed ~= before then append_event(accounts, 'account.changed', number, now, both_texts(changed, before)) end
if make_default == '1' and former and former ~= number then default_moved(accounts, former, now) end
return 1
