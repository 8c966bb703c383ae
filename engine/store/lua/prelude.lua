-- Before every step: what more than one of them needs. Amounts are minor units as text: compared here, never computed.

-- True when `epoch` is the one that the FIX session's record holds: its caller is the engine that claimed it last.
local function holds_session(session, epoch)
  return redis.call('HGET', session, 'epoch') == epoch
end

-- The server's own clock, which need not agree with ours.
local function server_ms()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- The largest balance of a client, in minor units: 15 digits, so that a comparison of doubles is exact.
local BALANCE_MAX = 999999999999999

-- Currency and state of an account, by its record: nil when there is none.
local function account_state(record)
  if not record then return nil end
  local currency, active = string.match(record, '^(%u%u%u) ([01])')
  return currency, active == '1'
end

local function balance_of(balances, currency, name)
  return redis.call('HGET', balances, currency .. '/' .. name) or '0'
end

local function has_room(balance, amount)
  return BALANCE_MAX - tonumber(amount) >= tonumber(balance)
end

-- A house balance may grow beyond 15 digits; with 18 characters the next amount still fits 64 bits, and HINCRBY never fails half-way.
local function house_has_room(balance)
  return #(balance or '0') <= 18
end

-- Why a conversion cannot move now: nil, 'INSUFFICIENT_BALANCE' with what there is, or 'BALANCE_LIMIT'.
local function conversion_lacks(balances, c)
  local found = redis.call('HMGET', balances, c.sell_currency .. '/' .. c.sell_account, c.buy_currency .. '/' .. c.buy_account,
    c.sell_currency .. '/house:fx', c.buy_currency .. '/house:fx', c.margin_currency .. '/house:margin')
  local available = found[1] or '0'
  if tonumber(available) < tonumber(c.sell) then return 'INSUFFICIENT_BALANCE', available end
  if not has_room(found[2] or '0', c.buy) then return 'BALANCE_LIMIT' end
  for i = 3, 5 do if not house_has_room(found[i]) then return 'BALANCE_LIMIT' end end
end

-- One move between two sub-accounts of a currency; `moves` gathers what the journal will say.
local function move(balances, moves, currency, from, to, amount)
  if amount == '0' then return end
  redis.call('HINCRBY', balances, currency .. '/' .. from, '-' .. amount)
  redis.call('HINCRBY', balances, currency .. '/' .. to, amount)
  moves[#moves + 1] = currency .. ' ' .. from .. ' ' .. to .. ' ' .. amount
end

-- For whoever looks on: `{sNN}:client:<id>:journal` has grown. It costs next to nothing while nobody listens, is not kept, and may get lost.
local function ring_journal(journal)
  redis.call('PUBLISH', 'journal', string.sub(journal, 14, -9))
end

-- Returns the entry's own id. Of some steps it says who took them, and why: both, '' where there is no reason. What follows are more
-- fields and their values.
local function write_journal(journal, step, id, now, moves, actor, reason, ...)
  local moved = table.concat(moves, ';')
  ring_journal(journal)
  if not actor then return redis.call('XADD', journal, '*', 'step', step, 'id', id, 'at', now, 'moves', moved) end
  return redis.call('XADD', journal, '*', 'step', step, 'id', id, 'at', now, 'moves', moved, 'actor', actor, 'reason', reason, ...)
end

-- Something new of the client's that a list is to show; lists are in order of creation, and of the id within a millisecond.
local function add_to_index(index, now, id)
  redis.call('ZADD', index, 0, string.rep('0', 13 - #now) .. now .. '|' .. id)
end

-- The two legs of a conversion and its margin.
local function move_conversion(balances, moves, c)
  move(balances, moves, c.sell_currency, c.sell_account, 'house:fx', c.sell)
  move(balances, moves, c.buy_currency, 'house:fx', c.buy_account, c.buy)
  move(balances, moves, c.margin_currency, 'house:fx', 'house:margin', c.margin)
end

-- Work for whoever is there to do it: kept in the shard's stream until it is done, and told at once.
local function put_work(work, ...)
  if redis.call('EXISTS', work) == 0 then redis.call('XGROUP', 'CREATE', work, 'workers', '0', 'MKSTREAM') end
  redis.call('XADD', work, '*', ...)
  redis.call('PUBLISH', 'work', string.sub(work, 3, 4))
end

-- Payments of the client that await their funds are looked at again; once, however often money comes before somebody does. The other
-- keys are told from that of the overdue conversions.
local function wake_payments(overdue, client)
  local own = string.sub(overdue, 1, -#'overdue' - 1)
  if redis.call('EXISTS', own .. 'waiting') == 0 then return end
  if redis.call('SET', own .. 'woken', '1', 'NX', 'PX', 60000) then
    put_work(string.sub(overdue, 1, 5) .. ':work', 'client', client, 'wake', '1')
  end
end

-- Money has come into an account: conversions that wait for it are due at once. However many wait, a step takes no longer: the oldest
-- are woken, and each of them that settles wakes as many again.
local WOKEN_MAX = 100
local function wake(overdue, due, client, account, now)
  wake_payments(overdue, client)
  if redis.call('EXISTS', overdue) == 0 then return end
  local waiting = redis.call('ZRANGE', overdue, '[' .. account .. '|', '(' .. account .. '}', 'BYLEX', 'LIMIT', 0, WOKEN_MAX)
  for _, member in ipairs(waiting) do
    redis.call('ZADD', due, now, 'settle:' .. client .. ':' .. string.sub(member, #account + 2))
  end
end

-- Something to be told to a FIX session: kept until its engine has given it a number. After a week nobody waits for it: by the server's
-- clock, which the entry's own id is from.
local OUTBOX_KEPT_MS = 604800000
local function tell_session(outbox, kind, id)
  local oldest = string.format('%.0f', server_ms() - OUTBOX_KEPT_MS)
  local entry = redis.call('XADD', outbox, 'MINID', '~', oldest, '*', 'kind', kind, 'data', id)
  redis.call('PEXPIRE', outbox, OUTBOX_KEPT_MS)
  return entry
end
