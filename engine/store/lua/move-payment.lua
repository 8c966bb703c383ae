-- Takes a payment one step further, once, with what the step does to the money.
-- KEYS: 1 payment, 2 balances, 3 journal, 4 waiting, 5 due, 6 work, 7 overdue, 8 accounts.
-- ARGV: 1 client, 2 payment id, 3 the step that it must have taken last or '' (any), 4 statuses from which it may go, with commas, 5 to
-- status, 6 sub status, 7 description, 8 moves (none, paid, refund, return), 9 actor, 10 reason, 11 the bank's number or '', 12 entry in
-- the work stream that this does or '', 13 what comes next: '' (nothing by itself), 'now', or after how long ms, 14 '1' counts an attempt
-- to send it, 15 the entry of the due list whose time must have come, or ''.
-- Returns {'moved', step, at ms}, {'status', status} (which does not allow it, '' for no payment), {'done'} (the step was taken before),
-- {'limit'} or {'early'} (the time of that entry has not come).
local payment, id, now = KEYS[1], ARGV[2], step_now()
local function acknowledge()
  if ARGV[12] == '' then return end
  redis.call('XACK', KEYS[6], 'workers', ARGV[12])
  redis.call('XDEL', KEYS[6], ARGV[12])
end

local found = redis.call('HMGET', payment, 'status', 'step', 'facts', 'account', 'toTransit', 'toFees')
local status = found[1]
if ARGV[3] ~= '' and found[2] ~= ARGV[3] then
  acknowledge()
  return { 'done' }
end
if not status or not string.find(',' .. ARGV[4] .. ',', ',' .. status .. ',', 1, true) then
  acknowledge()
  return { 'status', status or '' }
end

if ARGV[15] ~= '' and not is_due(KEYS[5], ARGV[15], now) then return { 'early' } end

must_be('stream', KEYS[3], 'journal')
must_be('zset', KEYS[4], 'queue of waiting payments')
may_wake(KEYS[7], KEYS[5])
local account, transit, fees = found[4], found[5], found[6]
local currency = ARGV[8] ~= 'none' and account_state(redis.call('HGET', KEYS[8], account))
local moves = {}
if ARGV[8] == 'paid' then
  if not house_has_room(balance_of(KEYS[2], currency, 'nostro')) then return { 'limit' } end
  move(KEYS[2], moves, currency, 'transit', 'nostro', transit)
elseif ARGV[8] ~= 'none' then
  -- What comes back to an account that has no room for it waits until there is some.
  local back = ARGV[8] == 'refund' and string.format('%.0f', tonumber(transit) + tonumber(fees)) or transit
  if not has_room(balance_of(KEYS[2], currency, account), back) then return { 'limit' } end
  if status == 'PAID' and not house_has_room(balance_of(KEYS[2], currency, 'nostro')) then return { 'limit' } end
  move(KEYS[2], moves, currency, status == 'PAID' and 'nostro' or 'transit', account, transit)
  if ARGV[8] == 'refund' then move(KEYS[2], moves, currency, 'house:fees', account, fees) end
end

-- From here on nothing may refuse.
if status == 'AWAITING_FUNDS' then
  leave_queue(KEYS[4], id)
  redis.call('ZREM', KEYS[5], 'expire:' .. ARGV[1] .. ':' .. id)
  wake_payments(KEYS[7], ARGV[1])
end
if ARGV[11] ~= '' then redis.call('HSET', payment, 'bankReference', ARGV[11]) end
if ARGV[14] == '1' then redis.call('HINCRBY', payment, 'attempts', 1) end
local step = payment_step(payment, KEYS[3], id, now, ARGV[5], ARGV[6], ARGV[7], moves, ARGV[9], ARGV[10])
redis.call('HSET', payment, 'busy', ARGV[13] == '' and '' or step)
acknowledge()
redis.call('ZREM', KEYS[5], 'work:' .. ARGV[1] .. ':' .. id .. '.' .. found[2])
if ARGV[13] == 'now' then
  put_work(KEYS[6], 'client', ARGV[1], 'payment', id, 'step', step)
elseif ARGV[13] ~= '' then
  redis.call('ZADD', KEYS[5], later(now, ARGV[13]), 'work:' .. ARGV[1] .. ':' .. id .. '.' .. step)
end
if ARGV[8] == 'refund' or ARGV[8] == 'return' then wake(KEYS[7], KEYS[5], ARGV[1], account, now) end
return { 'moved', step, now }
