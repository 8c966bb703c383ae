-- Takes a payment one step further, once, with what the step does to the money.
-- KEYS: 1 payment, 2 balances, 3 journal, 4 waiting, 5 due, 6 work, 7 overdue, 8 accounts.
-- ARGV: 1 now ms, 2 client, 3 payment id, 4 the step that it must have taken last or '' (any), 5 statuses from which it may go, with commas, 6 to
-- status, 7 sub status, 8 description, 9 moves (none, paid, refund, return), 10 actor, 11 reason, 12 the bank's number or '', 13 entry in
-- the work stream that this does or '', 14 what comes next: '' (nothing by itself), 'now', or when ms, 15 '1' counts an attempt to send it.
-- Returns {'moved', step}, {'status', status} (which does not allow it, '' for no payment), {'done'} (the step was taken before) or {'limit'}.
local payment, id = KEYS[1], ARGV[3]
local function acknowledge()
  if ARGV[13] == '' then return end
  redis.call('XACK', KEYS[6], 'workers', ARGV[13])
  redis.call('XDEL', KEYS[6], ARGV[13])
end

local found = redis.call('HMGET', payment, 'status', 'step', 'facts', 'account', 'toTransit', 'toFees')
local status = found[1]
if ARGV[4] ~= '' and found[2] ~= ARGV[4] then
  acknowledge()
  return { 'done' }
end
if not status or not string.find(',' .. ARGV[5] .. ',', ',' .. status .. ',', 1, true) then
  acknowledge()
  return { 'status', status or '' }
end

local account, transit, fees = found[4], found[5], found[6]
local currency = ARGV[9] ~= 'none' and account_state(redis.call('HGET', KEYS[8], account))
local moves = {}
if ARGV[9] == 'paid' then
  if not house_has_room(balance_of(KEYS[2], currency, 'nostro')) then return { 'limit' } end
  move(KEYS[2], moves, currency, 'transit', 'nostro', transit)
elseif ARGV[9] ~= 'none' then
  -- What comes back to an account that has no room for it waits until there is some.
  local back = ARGV[9] == 'refund' and string.format('%.0f', tonumber(transit) + tonumber(fees)) or transit
  if not has_room(balance_of(KEYS[2], currency, account), back) then return { 'limit' } end
  if status == 'PAID' and not house_has_room(balance_of(KEYS[2], currency, 'nostro')) then return { 'limit' } end
  move(KEYS[2], moves, currency, status == 'PAID' and 'nostro' or 'transit', account, transit)
  if ARGV[9] == 'refund' then move(KEYS[2], moves, currency, 'house:fees', account, fees) end
end

-- From here on nothing may refuse.
if status == 'AWAITING_FUNDS' then
  leave_queue(KEYS[4], id)
  redis.call('ZREM', KEYS[5], 'expire:' .. ARGV[2] .. ':' .. id)
  wake_payments(KEYS[7], ARGV[2])
end
if ARGV[12] ~= '' then redis.call('HSET', payment, 'bankReference', ARGV[12]) end
if ARGV[15] == '1' then redis.call('HINCRBY', payment, 'attempts', 1) end
local step = payment_step(payment, KEYS[3], id, ARGV[1], ARGV[6], ARGV[7], ARGV[8], moves, ARGV[10], ARGV[11])
acknowledge()
redis.call('ZREM', KEYS[5], 'work:' .. ARGV[2] .. ':' .. id .. '.' .. found[2])
if ARGV[14] == 'now' then
  put_work(KEYS[6], 'client', ARGV[2], 'payment', id, 'step', step)
elseif ARGV[14] ~= '' then
  redis.call('ZADD', KEYS[5], ARGV[14], 'work:' .. ARGV[2] .. ':' .. id .. '.' .. step)
end
if ARGV[9] == 'refund' or ARGV[9] == 'return' then wake(KEYS[7], KEYS[5], ARGV[2], account, ARGV[1]) end
return { 'moved', step }
