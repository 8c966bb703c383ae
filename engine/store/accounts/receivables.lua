-- Inserted before platforms.lua in the steps that make or serve a receivable. What a client owes beyond its balances is kept as it came, in the
-- sorted set `{sNN}:client:<id>:receivables`: members `<currency>|<journal entry>|<id of the conversion or the funding>|<owed>|<margin>|<share>`.
-- `margin` and `share` are what the house and the sub-client's platform earn of the amount owed, posted once it is collected: of a charge the
-- difference to the market is collected first, then the house's margin, last the share. So much of the two is left as the amount that is still
-- owed has room for. What is owed in a currency is the sum of its members, and the balance `receivable` below 0.

-- Members of one currency: as many as this are kept apart, and a further one is added to the newest.
local RECEIVABLES_MAX = 100

-- Margin and share that wait for `owed`.
local function left_of(owed, margin, share) -- rarely
  local share_left = math.min(share, owed)
  return math.min(margin, owed - share_left), share_left
end

local function receivables_key(balances) -- rarely
  return string.sub(balances, 1, -#'balances' - 1) .. 'receivables'
end

-- A client that owes anything gets no scheduled conversion and no hold: with them it would owe more.
local function owes(any_key) -- rarely
  return redis.call('EXISTS', string.match(any_key, '^{s%d%d}:client:[^:]*:') .. 'receivables') == 1
end

-- Those of a currency, the oldest first.
local function receivables_of(key, currency) -- rarely
  local found = {}
  local members = redis.call('ZRANGE', key, '[' .. currency .. '|', '(' .. currency .. '}', 'BYLEX')
  for i, member in ipairs(members) do
    local head, owed, margin, share = string.match(member, '^(%u+|[^|]*|[^|]*|)(%d+)|(%d+)|(%d+)$')
    if not head then error('a receivable cannot be read: run ratewire reconcile', 0) end
    found[i] = { member = member, head = head, owed = tonumber(owed), margin = tonumber(margin), share = tonumber(share) }
  end
  return found
end

local function write_receivable(key, before, head, owed, margin, share) -- rarely
  if before then redis.call('ZREM', key, before) end
  if owed > 0 then redis.call('ZADD', key, 0, head .. string.format('%.0f|%.0f|%.0f', owed, margin, share)) end
end

-- Before the first write of a step that makes or serves one.
local function may_owe(balances) -- rarely
  must_be('zset', receivables_key(balances), 'receivables')
  may_change_group(balances)
end

-- Its group knows who owes.
local function owing_has_changed(key) -- rarely
  local client, is_owing = string.match(key, '^{s%d%d}:client:([^:]*):'), redis.call('EXISTS', key) == 1
  if is_owing then redis.call('ZADD', group_key(key, 'owing'), 0, client) else redis.call('ZREM', group_key(key, 'owing'), client) end
  group_has_changed(key, step_now())
end

-- After the journal entry that made it.
local function add_receivable(balances, currency, entry, id, owed, margin, share) -- rarely
  local key = receivables_key(balances)
  local all = receivables_of(key, currency)
  local newest, head, before = #all >= RECEIVABLES_MAX and all[#all], currency .. '|' .. entry .. '|' .. id .. '|', nil
  owed, margin, share = tonumber(owed), tonumber(margin), tonumber(share)
  if newest and newest.owed + owed <= BALANCE_MAX then
    head, before = newest.head, newest.member
    owed, margin, share = owed + newest.owed, margin + newest.margin, share + newest.share
  end
  write_receivable(key, before, head, owed, margin, share)
  owing_has_changed(key)
end

-- What a repayment serves, and what it frees of margins and shares, minor units; `amount` is at most what is owed.
local function plan_repayment(balances, currency, amount) -- rarely
  local plan = { left = tonumber(amount), margin = 0, share = 0, served = {} }
  for i, one in ipairs(receivables_of(receivables_key(balances), currency)) do
    if plan.left == 0 then break end
    local owed = math.max(0, one.owed - plan.left)
    local margin, share = left_of(owed, one.margin, one.share)
    plan.left = plan.left - (one.owed - owed)
    plan.margin, plan.share = plan.margin + one.margin - margin, plan.share + one.share - share
    plan.served[i] = { one, owed, margin, share }
  end
  plan.margin, plan.share = string.format('%.0f', plan.margin), string.format('%.0f', plan.share)
  return plan
end

local function write_repayment(balances, plan) -- rarely
  local key = receivables_key(balances)
  for _, served in ipairs(plan.served) do
    write_receivable(key, served[1].member, served[1].head, served[2], served[3], served[4])
  end
  owing_has_changed(key)
end
