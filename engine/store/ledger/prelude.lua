-- Functions that several steps share, each sent with the steps that use it. Amounts are minor units as text. Those of clients have at most
-- 15 digits, so that a comparison or a difference of doubles is exact; those of the house have up to 18, and are only added by sum_of.

-- Ends the step when the key has another type than the step writes: Redis undoes nothing, so a step checks every key that it writes before
-- its first write. Not needed for a key that it has read by a command of that type, nor where its first write is the only one, or the
-- first, on such a key: these commands fail by themselves. The store converts `role` to a message for the operator (errors.ts).
local function must_be(type, key, role)
  local found = redis.call('TYPE', key).ok
  if found ~= type and found ~= 'none' then error('KEY_TYPE ' .. role .. ': ' .. found .. ', not ' .. type, 0) end
end

-- True when `epoch` is that of the FIX session's record: the caller is the engine that claimed it last.
local function holds_session(session, epoch)
  return redis.call('HGET', session, 'epoch') == epoch
end

-- The largest balance of a client, in minor units: 15 digits, so that a comparison of doubles is exact.
local BALANCE_MAX = 999999999999999

-- Currency and state of an account, by its record: nil without a record.
local function account_state(record)
  if not record then return nil end
  return string.sub(record, 1, 3), string.sub(record, 5, 5) == '1'
end

-- True unless both accounts exist and are active: otherwise nothing is debited or credited.
local function is_inactive(accounts, sell_account, buy_account) -- rarely
  local records = redis.call('HMGET', accounts, sell_account, buy_account)
  for i = 1, 2 do
    local _, active = account_state(records[i])
    if not active then return true end
  end
  return false
end

-- The balances that the step has read or written, by name: a step works on those of one client.
local known_balances = {}

-- Reads those of `names`, a list, that are not known yet: one command.
local function read_balances(balances, names)
  local missing, count = {}, 0
  for i = 1, #names do
    if not known_balances[names[i]] then
      count = count + 1
      missing[count] = names[i]
    end
  end
  if count == 0 then return end
  local found = redis.call('HMGET', balances, unpack(missing))
  for i = 1, count do known_balances[missing[i]] = found[i] or '0' end
end

local function balance_of(balances, currency, name) -- rarely
  name = currency .. '/' .. name
  read_balances(balances, { name })
  return known_balances[name]
end

local function has_room(balance, amount)
  return BALANCE_MAX - tonumber(amount) >= tonumber(balance)
end

-- A house balance may grow beyond 15 digits; with 18 characters the next amount still fits 64 bits.
local function house_has_room(balance)
  return #balance <= 18
end

-- What an account has beyond what its client owes in the currency, whose balance `receivable` is 0 or below.
local function free_of_debt(balance, receivable) -- rarely
  if receivable == '0' then return balance end
  return string.format('%.0f', math.max(0, tonumber(balance) + tonumber(receivable)))
end

-- Why a conversion cannot move now: nil, 'INSUFFICIENT_BALANCE' with the balance, or 'BALANCE_LIMIT'. With `c.spares_owed` what the client owes in
-- the currency sold is left to it.
local function conversion_lacks(balances, c)
  local names = {
    c.sell_currency .. '/' .. c.sell_account, c.buy_currency .. '/' .. c.buy_account,
    c.sell_currency .. '/house:fx', c.buy_currency .. '/house:fx', c.margin_currency .. '/house:margin',
  }
  if c.spares_owed then names[6], names[7] = c.sell_currency .. '/receivable', c.buy_currency .. '/receivable' end
  read_balances(balances, names)
  local available = known_balances[names[1]]
  if c.spares_owed then available = free_of_debt(available, known_balances[names[6]]) end
  if tonumber(available) < tonumber(c.sell) then return 'INSUFFICIENT_BALANCE', available end
  if not has_room(known_balances[names[2]], c.buy) then return 'BALANCE_LIMIT' end
  for i = 3, 5 do if not house_has_room(known_balances[names[i]]) then return 'BALANCE_LIMIT' end end
end

-- A balance and a change of less than 8e15, added exactly: a balance of the house may be longer than a double holds, and is added in two
-- parts, of its last nine digits and of those before.
local function sum_of(balance, change)
  if not string.find(balance, '^%-?%d+$') then error('a balance is not a whole number', 0) end
  if #balance <= 15 then return string.format('%.0f', balance + change) end
  local sign, digits = string.match(balance, '^(%-?)(%d+)$')
  local high, low = tonumber(string.sub(digits, 1, -10)), tonumber(string.sub(digits, -9))
  if sign == '-' then high, low = -high, -low end
  local carry = math.floor((low + change) / 1e9)
  high, low = high + carry, low + change - carry * 1e9
  -- Both parts with one sign.
  if high < 0 and low > 0 then high, low = high + 1, low - 1e9 end
  if high == 0 then return string.format('%.0f', low) end
  return string.format('%.0f%09.0f', high, math.abs(low))
end

local function add_change(changes, name, amount)
  local before = changes[name]
  if not before then changes[#changes + 1] = name end
  changes[name] = (before or 0) + amount
end

-- One move between two sub-accounts of a currency; `moves` collects the text of the journal entry, and the changes of balances that
-- write_journal writes.
local function move(balances, moves, currency, from, to, amount)
  if amount == '0' then return end
  moves.balances, moves.changes = balances, moves.changes or {}
  -- Of at most 15 digits: the sum of a few is exact.
  local value = tonumber(amount)
  add_change(moves.changes, currency .. '/' .. from, -value)
  add_change(moves.changes, currency .. '/' .. to, value)
  moves[#moves + 1] = currency .. ' ' .. from .. ' ' .. to .. ' ' .. amount
end

local function write_balances(balances, changes)
  read_balances(balances, changes)
  local written = {}
  for i = 1, #changes do
    local name = changes[i]
    local sum = sum_of(known_balances[name], changes[name])
    known_balances[name], written[2 * i - 1], written[2 * i] = sum, name, sum
  end
  redis.call('HSET', balances, unpack(written))
end

-- What a client owes beyond its balances is the account `receivable` of each currency: 0, or below 0 by the amount owed.
local function owed_by(balances, currency) -- rarely
  return string.match(balance_of(balances, currency, 'receivable'), '^%-(%d+)$') or '0'
end

-- The balance of an account that may leave: beyond what its client owes in the currency.
local function free_balance(balances, currency, account) -- rarely
  return free_of_debt(balance_of(balances, currency, account), balance_of(balances, currency, 'receivable'))
end

-- The part of `amount` that an account does not cover: '0' when it covers all.
local function beyond_balance(balances, currency, account, amount)
  -- Both below 10^15: their difference is exact.
  return string.format('%.0f', math.max(0, tonumber(amount) - tonumber(balance_of(balances, currency, account))))
end

-- Debits `amount` from an account as far as its balance allows, and `beyond` (of beyond_balance) from the client's receivable account. The
-- caller has checked that `to` and `receivable` have room. The account's own move is written even when it is 0: the account's statement
-- shows it.
local function debit_or_owe(balances, moves, currency, account, to, amount, beyond)
  local covered = string.format('%.0f', tonumber(amount) - tonumber(beyond))
  move(balances, moves, currency, account, to, covered)
  if covered == '0' then moves[#moves + 1] = currency .. ' ' .. account .. ' ' .. to .. ' 0' end
  move(balances, moves, currency, 'receivable', to, beyond)
end

-- Publishes, once in a step, that `{sNN}:client:<id>:journal` has grown. Without subscribers it costs next to nothing; it is not stored, and may get lost.
local notified = false
local function notify_journal(journal)
  if notified then return end
  notified = true
  redis.call('PUBLISH', 'journal', string.sub(journal, 14, -9))
end

-- Changes the balances by the moves and writes their entry. Returns the entry's id. `more` may have the hash of facts or of an amendment,
-- the actor and the reason of a step that records both, the reference of a correction, and the statuses of a payment's step. The field's
-- name is the number of the form; its value is read by journal.ts. The reason comes last: it may be any text.
local function write_journal(journal, step, id, now, moves, more)
  more = more or {}
  local text = step .. '|' .. id .. '|' .. now .. '|' .. table.concat(moves, ';') .. '|' .. (more.hash or '')
  if more.actor then
    text = text .. '|' .. more.actor .. '|' .. (more.from or '') .. '|' .. (more.to or '') .. '|' .. (more.sub or '') .. '|'
      .. (more.reference or '') .. '|' .. (more.reason or '')
  end
  local entry = redis.call('XADD', journal, '*', '1', text)
  if moves.changes then write_balances(moves.balances, moves.changes) end
  notify_journal(journal)
  return entry
end

-- The hash of a created record's facts, or of an amendment, in its journal entry: reconciliation detects what was altered since.
local function facts_hash(facts)
  return string.sub(redis.sha1hex(facts), 1, 16)
end

-- Adds a record to a client's list of payments or fundings; lists are in order of creation, and of the id within a millisecond.
local function add_to_index(index, now, id)
  redis.call('ZADD', index, 0, string.rep('0', 13 - #now) .. now .. '|' .. id)
end

-- The record of a conversion, a member of its client's sorted set `bookings`, whose members are in order of their ids and therefore of
-- creation: `<id>|<status>|<sell account>|<buy account>|<settled at>|<journal entry>|<afterwards>|<facts>`. `settled at` is '' also where it
-- settled at its creation; of one that was cancelled it is that time. `afterwards` is what an operator or the client has done to it: '', or a
-- list of amendments, the last of which may be a close-out. records.ts reads and writes the same. Nil without one.
local function booking_of(bookings, id) -- rarely
  local member = redis.call('ZRANGE', bookings, '[' .. id .. '|', '(' .. id .. '}', 'BYLEX', 'LIMIT', 0, 1)[1]
  if not member then return nil end
  local status, sell_account, buy_account, settled_at, entry, afterwards, facts =
    string.match(member, '^[^|]*|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|(.*)$')
  if not facts then error('the record of a conversion cannot be read: run ratewire reconcile', 0) end
  return {
    member = member, status = status, sell_account = sell_account, buy_account = buy_account, settled_at = settled_at, entry = entry,
    afterwards = afterwards, facts = facts,
  }
end

local function write_booking(bookings, id, b)
  redis.call('ZADD', bookings, 0, id .. '|' .. b.status .. '|' .. b.sell_account .. '|' .. b.buy_account .. '|' .. b.settled_at .. '|'
    .. b.entry .. '|' .. b.afterwards .. '|' .. b.facts)
end

-- The id under which a conversion is booked: `id`, made by the caller's clock, or the one behind the newest of the client's conversions where
-- `id` is not behind all of them. A conversion is always the last of `bookings` when it is booked, so that its position, the trade number,
-- never changes.
local ID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
local function next_id(id) -- rarely
  local at = #string.match(id, '^(.-)Z*$')
  -- A character that is no digit of an id sorts between two of them: the next digit is the first one above it.
  local byte, next_digit = string.byte(id, at), nil
  for digit in string.gmatch(ID_DIGITS, '.') do next_digit = next_digit or string.byte(digit) > byte and digit end
  return string.sub(id, 1, at - 1) .. next_digit .. string.rep('0', #id - at)
end

local function id_behind(bookings, id)
  if redis.call('ZLEXCOUNT', bookings, '[' .. id, '+') == 0 then return id end
  return next_id((string.match(redis.call('ZRANGE', bookings, -1, -1)[1], '^[^|]*')))
end

-- Replaces the record that booking_of has read.
local function replace_booking(bookings, id, booking)
  redis.call('ZREM', bookings, booking.member)
  write_booking(bookings, id, booking)
end

-- A key that ends is kept so much longer than it counts: a server's clock that is wrong for some days removes nothing that counts.
local CLOCK_MARGIN_MS = 604800000

-- True where a key that exists is only kept for that reason: its end, which does not depend on when Redis removes it, has come.
local function has_ended(key) -- rarely
  local ends = redis.call('PEXPIRETIME', key)
  return ends > 0 and ends - CLOCK_MARGIN_MS <= server_ms()
end

-- A receipt: `1|<kind>|<id of the record, or code of a refusal>|<fingerprint>|<type>|<more>|<text>`, for `kept_ms`. records.ts reads the same.
local function write_receipt(receipt, kept_ms, kind, id, fingerprint, type, more, text)
  local value = '1|' .. kind .. '|' .. id
  if fingerprint then value = value .. '|' .. fingerprint .. '|' .. (type or '') end
  if more or text then value = value .. '|' .. (more or '') .. '|' .. (text or '') end
  redis.call('SET', receipt, value, 'PX', kept_ms + CLOCK_MARGIN_MS)
end

-- Nil without one. A payment's ends after its id.
local function receipt_of(receipt)
  local found = redis.call('GET', receipt)
  if not found or has_ended(receipt) then return nil end
  local form, kind, id, fingerprint, type, rest = string.match(found, '^(%d+)|([^|]*)|([^|]*)|?([^|]*)|?([^|]*)(.*)$')
  local more, text = string.match(rest or '', '^|([^|]*)|(.*)$')
  if form ~= '1' then error('a receipt is of a form that this release does not read: run the release that wrote it', 0) end
  return { kind = kind, id = id, fingerprint = fingerprint, type = type, more = more or '', text = text or '' }
end

-- The two legs of a conversion and its margin.
local function move_conversion(balances, moves, c)
  move(balances, moves, c.sell_currency, c.sell_account, 'house:fx', c.sell)
  move(balances, moves, c.buy_currency, 'house:fx', c.buy_account, c.buy)
  move(balances, moves, c.margin_currency, 'house:fx', 'house:margin', c.margin)
end

-- Adds work: kept in the shard's stream until it is done, with a notification.
local function enqueue_work(work, ...) -- rarely
  if redis.call('EXISTS', work) == 0 then redis.call('XGROUP', 'CREATE', work, 'workers', '0', 'MKSTREAM') end
  redis.call('XADD', work, '*', ...)
  redis.call('PUBLISH', 'work', string.sub(work, 3, 4))
end

-- The keys of the client's waiting payments, of whether an attempt to fund them is scheduled, and of the shard's work: derived from that of
-- its overdue conversions.
local function waiting_keys(overdue) -- rarely
  local own = string.sub(overdue, 1, -#'overdue' - 1)
  return own .. 'waiting', own .. 'woken', slot_tag .. ':work'
end

-- Before the first write of a step that calls wake_payments.
local function may_wake_payments(overdue) -- rarely
  local _, woken, work = waiting_keys(overdue)
  must_be('string', woken, 'mark of woken payments')
  must_be('stream', work, 'stream of work')
end

-- Schedules an attempt to fund the client's waiting payments; once, however often money is credited before a worker runs it.
local function wake_payments(overdue, client) -- rarely
  local waiting, woken, work = waiting_keys(overdue)
  if redis.call('EXISTS', waiting) == 0 then return end
  if redis.call('SET', woken, '1', 'NX', 'PX', 60000) then enqueue_work(work, 'client', client, 'wake', '1') end
end

-- Makes overdue conversions of an account due at once. The time of a step is bounded: only the oldest become due, and each of them that
-- settles makes as many again due. `overdue` is by the account sold from, or by the account bought into.
local WOKEN_MAX = 100
local function wake_overdue(overdue, due, client, account, now) -- rarely
  if redis.call('EXISTS', overdue) == 0 then return end
  local waiting = redis.call('ZRANGE', overdue, '[' .. account .. '|', '(' .. account .. '}', 'BYLEX', 'LIMIT', 0, WOKEN_MAX)
  for _, member in ipairs(waiting) do
    put_due(due, now, 'settle:' .. client .. ':' .. string.sub(member, #account + 2))
  end
end

-- Before the first write of a step that ends or moves a conversion that has not settled.
local function may_change_open(journal, scheduled, due, overdue, overdue_into) -- rarely
  must_be('stream', journal, 'journal')
  must_be('hash', scheduled, 'open scheduled sells')
  must_be('zset', due, 'due list')
  must_be('zset', overdue, 'overdue conversions')
  must_be('zset', overdue_into, 'overdue conversions by the account bought into')
end

-- Before the first write of a step that calls wake. Usually nothing waits, and there is nothing more to check or to wake.
local nothing_waits = false
local function may_wake(overdue, due) -- rarely
  local waiting = waiting_keys(overdue)
  nothing_waits = redis.call('EXISTS', overdue, waiting) == 0
  if nothing_waits then return end
  must_be('zset', overdue, 'overdue conversions')
  must_be('zset', due, 'due list')
  may_wake_payments(overdue)
end

-- How many of these a client has: drop copies, overdue conversions, waiting payments, amounts that a limit has valued, events, receivables. One
-- command instead of those of copied_sessions, may_append_event, may_wake and may_repay: usually 0.
local function count_attached(drop_copies, overdue, exposure, room, events)
  local own = string.sub(overdue, 1, -#'overdue' - 1)
  return redis.call('EXISTS', drop_copies, overdue, own .. 'waiting', exposure, room, events, own .. 'receivables')
end

-- Money was credited to an account: waiting payments, and overdue conversions that sell from it, may now have their funds.
local function wake(overdue, due, client, account, now)
  if nothing_waits then return end
  wake_payments(overdue, client)
  wake_overdue(overdue, due, client, account, now)
end

-- The outbox of a session: `sessions` is the prefix of the keys of the client's sessions.
local function outbox_of(sessions, comp_id)
  return sessions .. comp_id .. ':outbox'
end

-- The sessions with drop copies of the client's conversions, each with a writable outbox.
local function copied_sessions(drop_copies, sessions) -- rarely
  local comp_ids = redis.call('SMEMBERS', drop_copies)
  for _, comp_id in ipairs(comp_ids) do must_be('stream', outbox_of(sessions, comp_id), 'outbox of a session') end
  return comp_ids
end

-- The sessions that get a report of what an operator has changed: those with copies, and `report_to`, the one that booked it.
local function reported_sessions(drop_copies, sessions, report_to) -- rarely
  if report_to ~= '' then must_be('stream', outbox_of(sessions, report_to), 'outbox of a session') end
  return copied_sessions(drop_copies, sessions)
end

-- A message for a FIX session: kept until its engine has assigned a number. Expires after a week, by the server's clock, which the entry's
-- own id is from.
local OUTBOX_KEPT_MS = 604800000
local function add_to_outbox(outbox, kind, id)
  local oldest = string.format('%.0f', server_ms() - OUTBOX_KEPT_MS)
  local entry = redis.call('XADD', outbox, 'MINID', '~', oldest, '*', 'kind', kind, 'data', id)
  redis.call('PEXPIRE', outbox, OUTBOX_KEPT_MS + CLOCK_MARGIN_MS)
  return entry
end

-- Adds a copy to the outboxes of those sessions but `except`; `answer` gets their CompIDs, for the notification.
local function send_copies(answer, copied, except, sessions, kind, id) -- rarely
  for _, comp_id in ipairs(copied) do
    if comp_id ~= except then
      add_to_outbox(outbox_of(sessions, comp_id), kind, id)
      answer[#answer + 1] = comp_id
    end
  end
  return answer
end

-- Adds the report of the change of this number, from 1, to their outboxes. `answer` gets their CompIDs, for the notification.
local function report_change(answer, copied, sessions, report_to, confirmation_id, number) -- rarely
  local what = confirmation_id .. ' ' .. number
  if report_to ~= '' then
    add_to_outbox(outbox_of(sessions, report_to), 'amendment', what)
    answer[#answer + 1] = report_to
  end
  return send_copies(answer, copied, report_to, sessions, 'amendment-copy', what)
end
