-- Inserted after prelude.lua in the steps of batches, and in that which draws an item as a payment.
-- The record of a batch is a hash, which batches.ts reads: `f` its facts, `s` its state, `i:<item id>` each item. The state is
-- `<status>|<version>|<items>|<last number>|<total>|<drawn>|<their amount>|<refused>|<their amount>|<updated at>`; an item
-- `<number, 4 digits>|<transaction number>|P|<fingerprint>` while it is pending, since the closing with `|<version of its beneficiary>` where it
-- names one, `...|D|<payment id>` once it is a payment, or `...|R|<code>|<text>`. What a pending item contains is in the hash `<batch>:contents`, encrypted. The queue `<batch>:queue` is there from the
-- funding until the last item is drawn: members `<number>|<item id>|<reserve>|<fixed fee>|<ppm of the fee>|<version
-- of its beneficiary>`, in order.

-- The keys of a batch, derived from that of the client's overdue conversions, for a step that most calls make without a batch.
local function batch_keys(overdue, id) -- rarely
  local own = string.sub(overdue, 1, -#'overdue' - 1)
  local batch = own .. 'batch:' .. id
  return { id = id, batch = batch, queue = batch .. ':queue', contents = batch .. ':contents', open = own .. 'open-batches' }
end

-- Nil without a record.
local function batch_state(batch)
  local text = redis.call('HGET', batch, 's')
  if not text then return nil end
  local status, version, items, last_number, total, drawn, drawn_amount, refused, refused_amount, at = string.match(text,
    '^(%u+)|(%d+)|(%d+)|(%d+)|(%d+)|(%d+)|(%d+)|(%d+)|(%d+)|(%d+)$')
  if not status then error('the state of a batch cannot be read: run ratewire reconcile', 0) end
  return {
    status = status, version = version, items = items, last_number = last_number, total = total, drawn = drawn,
    drawn_amount = drawn_amount, refused = refused, refused_amount = refused_amount, at = at,
  }
end

local function batch_text(s)
  return s.status .. '|' .. s.version .. '|' .. s.items .. '|' .. s.last_number .. '|' .. s.total .. '|' .. s.drawn .. '|'
    .. s.drawn_amount .. '|' .. s.refused .. '|' .. s.refused_amount .. '|' .. s.at
end

-- Counts and amounts have at most 15 digits: their sums are exact.
local function plus(text, more)
  return string.format('%.0f', tonumber(text) + tonumber(more))
end

-- Writes the state as another version, where `is_change`.
local function write_batch(batch, s, now, is_change)
  if is_change then s.version = plus(s.version, 1) end
  s.at = now
  redis.call('HSET', batch, 's', batch_text(s))
end

-- Whether a command for a batch that is as it asks already is one that comes again: it names no version, that of now, or the one before.
local function comes_again(s, version) -- rarely
  return version == '' or version == s.version or plus(version, 1) == s.version
end

-- The batch has got another status: its event has its state, and that `before`. The step has called may_append_event.
local function batch_moved(batch, id, s, before, now) -- rarely
  append_event(batch, 'batch.' .. string.lower(s.status), id, now, both_texts(batch_text(s), before))
end

-- Before the first write of a step that calls take_item.
local function may_take_item(b) -- rarely
  must_be('hash', b.batch, 'batch')
  must_be('hash', b.contents, 'contents of a batch')
  must_be('zset', b.open, 'open batches')
  may_append_event(b.batch)
end

-- Takes an item out of the queue, once: its part of the reserve goes to the account that the batch pays from, and behind the last item the
-- batch is DONE. The caller has found `queued` in the queue. `outcome` is what the item's record says from now on: a payment, or a refusal.
local function take_item(b, queued, outcome, balances, journal, currency, account, now) -- rarely
  local number, item, reserve = string.match(queued, '^(%d+)|([^|]*)|(%d+)|')
  local is_drawn = string.sub(outcome, 1, 2) == 'D|'
  local moves = {}
  move(balances, moves, currency, 'batch:' .. b.id, account, reserve)
  local more = { actor = 'service', reason = item }
  if is_drawn then write_journal(journal, 'draw-item', b.id, now, moves, more)
  else write_journal(journal, 'refuse-item', b.id, now, moves, more) end
  redis.call('ZREM', b.queue, queued)
  redis.call('HDEL', b.contents, item)
  local transaction = string.match(redis.call('HGET', b.batch, 'i:' .. item) or '', '^%d+|([^|]*)|') or ''
  local s = batch_state(b.batch)
  local before = batch_text(s)
  if is_drawn then s.drawn, s.drawn_amount = plus(s.drawn, 1), plus(s.drawn_amount, reserve)
  else s.refused, s.refused_amount = plus(s.refused, 1), plus(s.refused_amount, reserve) end
  local is_last = redis.call('EXISTS', b.queue) == 0
  if is_last then
    s.status = 'DONE'
    redis.call('ZREM', b.open, b.id)
    -- It is 0 now.
    redis.call('HDEL', balances, currency .. '/batch:' .. b.id)
  end
  redis.call('HSET', b.batch, 'i:' .. item, number .. '|' .. transaction .. '|' .. outcome)
  -- A refusal for a rate that stays away does not renew the patience of those behind it.
  write_batch(b.batch, s, (is_drawn or is_last) and now or s.at, is_last)
  if is_last then batch_moved(b.batch, b.id, s, before, now) end
end
