-- Inserted after positions.lua in the steps that move a conversion: what a platform earns from its sub-clients. The id of a sub-client is
-- `<platform>~<name>`, and both are in one shard. In the sub-client's ledger the platform's share of the margin goes from `house:fx` to
-- `platform:margin`, the rest to `house:margin`. In the platform's ledger the same amount comes from `sub-clients:margin` to `earnings`, and goes
-- on to the platform's default account in the currency with all that is there, as soon as that can take it. What a bust takes back may leave
-- `earnings` below 0: the next shares repay it. `platform:margin` of all sub-clients and `sub-clients:margin` of the platform are 0 together.
local function platform_key(client, name) -- rarely
  return slot_tag .. ':client:' .. string.match(client, '^[^~]*') .. ':' .. name
end

-- Before the first write of a step that posts a share: true where a balance has no room for it.
local function share_lacks(client, balances, currency) -- rarely
  must_be('stream', platform_key(client, 'journal'), 'journal of a platform')
  must_be('hash', platform_key(client, 'accounts'), 'accounts of a platform')
  must_be('zset', platform_key(client, 'overdue'), 'overdue conversions of a platform')
  must_be('zset', slot_tag .. ':due', 'due list')
  may_wake_payments(platform_key(client, 'overdue'))
  local found = redis.call('HMGET', platform_key(client, 'balances'), currency .. '/sub-clients:margin', currency .. '/earnings')
  for i = 1, 2 do if not house_has_room(found[i] or '0') then return true end end
  return not house_has_room(balance_of(balances, currency, 'platform:margin'))
end

-- The other side of a share, in the platform's ledger, with an entry of its own that names the sub-client. Below 0: it is taken back.
local function post_share(client, id, now, currency, amount) -- rarely
  local accounts, balances = platform_key(client, 'accounts'), platform_key(client, 'balances')
  local account = redis.call('HGET', accounts, 'default:' .. currency) or ''
  local _, is_active = account_state(redis.call('HGET', accounts, account))
  local contra, earned, own = currency .. '/sub-clients:margin', currency .. '/earnings', currency .. '/' .. account
  local found = redis.call('HMGET', balances, contra, earned, own)
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
