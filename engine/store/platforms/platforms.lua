-- Inserted after positions.lua in the steps that move a conversion: what a platform earns from its sub-clients. The id of a sub-client is
-- `<platform>~<name>`, and both are in one shard. In the sub-client's ledger the platform's share of the margin goes from `house:fx` to
-- `platform:margin`, the rest to `house:margin`. In the platform's ledger the same amount comes from `sub-clients:margin` to `earnings`, and goes
-- on to the platform's default account in the currency with all that is there, as soon as that can take it. What a bust takes back may leave
-- `earnings` below 0: the next shares repay it. `platform:margin` of all sub-clients and `sub-clients:margin` of the platform are 0 together.
local function platform_key(client, name) -- rarely
  return slot_tag .. ':client:' .. string.match(client, '^[^~]*') .. ':' .. name
end

-- Calls `act` as a step of the platform: its events are beside those of the step's own client.
local function for_platform(act) -- rarely
  local own_key, own_client, own_has, own_due = events_key, events_client, has_events, are_due
  has_events, are_due = nil, false
  act()
  events_key, events_client, has_events, are_due = own_key, own_client, own_has, own_due
end

-- Of what a platform has got on an account it repays what it owes itself in the currency: no share waits for that.
local function repay_platform(balances, journal, currency, account, amount, id, now) -- rarely
  local names = { currency .. '/' .. account, currency .. '/receivable', currency .. '/house:fx', currency .. '/house:margin' }
  local found = redis.call('HMGET', balances, unpack(names))
  local owed = tonumber(string.match(found[2] or '', '^%-(%d+)$') or '0')
  if owed == 0 then return end
  local repaid = string.format('%.0f', math.min(owed, tonumber(amount)))
  local plan = plan_repayment(balances, currency, repaid)
  local moves = { currency .. ' ' .. account .. ' receivable ' .. repaid }
  if plan.margin ~= '0' then moves[2] = currency .. ' house:fx house:margin ' .. plan.margin end
  write_journal(journal, 'repay', id, now, moves, { actor = 'service', reason = 'a credit repays first' })
  local left = sum_of(found[2], tonumber(repaid))
  redis.call('HSET', balances, names[1], sum_of(found[1], -tonumber(repaid)), names[2], left, names[3],
    sum_of(found[3] or '0', -tonumber(plan.margin)), names[4], sum_of(found[4] or '0', tonumber(plan.margin)))
  write_repayment(balances, plan)
  local more = currency .. '|' .. repaid .. '|' .. string.gsub(left, '^%-', '') .. '|' .. id
  for_platform(function() append_event(balances, 'receivable.repaid', account, now, more) end)
end

-- Before the first write of a step that posts a share: true where a balance has no room for it.
local function share_lacks(client, balances, currency) -- rarely
  must_be('stream', platform_key(client, 'journal'), 'journal of a platform')
  must_be('hash', platform_key(client, 'accounts'), 'accounts of a platform')
  must_be('zset', platform_key(client, 'overdue'), 'overdue conversions of a platform')
  must_be('zset', slot_tag .. ':due', 'due list')
  may_wake_payments(platform_key(client, 'overdue'))
  local balances_of_platform = platform_key(client, 'balances')
  local found = redis.call('HMGET', balances_of_platform, currency .. '/sub-clients:margin', currency .. '/earnings', currency .. '/receivable')
  if (found[3] or '0') ~= '0' then
    may_owe(balances_of_platform)
    for_platform(function() may_append_event(balances_of_platform) end)
  end
  for i = 1, 2 do if not house_has_room(found[i] or '0') then return true end end
  return not house_has_room(balance_of(balances, currency, 'platform:margin'))
end

-- The other side of a share, in the platform's ledger, with an entry of its own that names the sub-client. Below 0: it is taken back.
local function post_share(client, id, now, currency, amount) -- rarely
  local accounts, balances = platform_key(client, 'accounts'), platform_key(client, 'balances')
  local account = redis.call('HGET', accounts, 'default:' .. currency) or ''
  local _, is_active = account_state(redis.call('HGET', accounts, account))
  local contra, earned, own = currency .. '/sub-clients:margin', currency .. '/earnings', currency .. '/' .. account
  local found = redis.call('HMGET', balances, contra, earned, own, currency .. '/receivable')
  local balance, earnings = found[3] or '0', sum_of(found[2] or '0', tonumber(amount))
  local moves = { currency .. ' sub-clients:margin earnings ' .. amount }
  if tonumber(amount) < 0 then moves[1] = currency .. ' earnings sub-clients:margin ' .. string.sub(amount, 2) end
  local pays = is_active and #earnings <= 15 and tonumber(earnings) > 0 and has_room(balance, earnings)
  if pays then moves[2] = currency .. ' earnings ' .. account .. ' ' .. earnings end
  write_journal(platform_key(client, 'journal'), 'share-fx', id, now, moves, { actor = client })
  redis.call('HSET', balances, contra, sum_of(found[1] or '0', -tonumber(amount)), earned, pays and '0' or earnings)
  local platform = string.match(client, '^[^~]*')
  redis.call('PUBLISH', 'journal', platform)
  if not pays then return end
  redis.call('HSET', balances, own, sum_of(balance, tonumber(earnings)))
  if (found[4] or '0') ~= '0' then repay_platform(balances, platform_key(client, 'journal'), currency, account, earnings, id, now) end
  wake_payments(platform_key(client, 'overdue'), platform)
  wake_overdue(platform_key(client, 'overdue'), slot_tag .. ':due', platform, account, now)
end

-- Before the first write of a step that posts what a repayment frees: true where a balance has no room for it.
local function plan_lacks(client, balances, currency, plan) -- rarely
  if plan.margin ~= '0' or plan.share ~= '0' then
    for _, name in ipairs({ 'house:fx', 'house:margin' }) do
      if not house_has_room(balance_of(balances, currency, name)) then return true end
    end
  end
  return plan.share ~= '0' and share_lacks(client, balances, currency)
end

-- The moves of what a repayment frees, of its journal entry; post_share follows where there is a share.
local function move_freed(balances, moves, currency, plan) -- rarely
  move(balances, moves, currency, 'house:fx', 'house:margin', plan.margin)
  move(balances, moves, currency, 'house:fx', 'platform:margin', plan.share)
end

-- What the credits of a step repay, each as plan_repayment has it.
local repayments = {}

-- Before the first write of a step that credits `amount` to an account: what its client owes in the currency is repaid from it, the oldest
-- first. An inactive account repays nothing.
local function may_repay(client, balances, currency, account, amount) -- rarely
  local owed = tonumber(owed_by(balances, currency))
  if owed == 0 or tonumber(amount) <= 0 then return end
  local record = redis.call('HGET', string.sub(balances, 1, -#'balances' - 1) .. 'accounts', account)
  local _, is_active = account_state(record)
  if not is_active then return end
  may_owe(balances)
  may_append_event(balances)
  local repaid = string.format('%.0f', math.min(owed, tonumber(amount)))
  local plan = plan_repayment(balances, currency, repaid)
  if plan_lacks(client, balances, currency, plan) then return end
  plan.currency, plan.account, plan.repaid = currency, account, repaid
  repayments[#repayments + 1] = plan
end

-- After the journal entry of the credit, which is of `id`: one of its own for each repayment.
local function repay_credits(client, balances, journal, id, now) -- rarely
  for _, plan in ipairs(repayments) do
    local moves = {}
    move(balances, moves, plan.currency, plan.account, 'receivable', plan.repaid)
    move_freed(balances, moves, plan.currency, plan)
    write_journal(journal, 'repay', id, now, moves, { actor = 'service', reason = 'a credit repays first' })
    write_repayment(balances, plan)
    if plan.share ~= '0' then post_share(client, id, now, plan.currency, plan.share) end
    append_event(balances, 'receivable.repaid', plan.account, now,
      plan.currency .. '|' .. plan.repaid .. '|' .. owed_by(balances, plan.currency) .. '|' .. id)
  end
  repayments = {}
end
