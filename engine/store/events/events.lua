-- Inserted after prelude.lua in every step that changes what a client may subscribe to. A client has events when the stream
-- `{sNN}:client:<id>:events` exists (enable-events.lua): its ids are `1-<sequence>`, numbered by Redis without gaps. An entry is one field:
-- `e`, `<type>|<id of the resource>|<at, ms>|<what changed>`. What changed is what cannot be read from immutable facts later, first as it is
-- then, and then as it was (events/events.ts reads it).

-- Events of a client: more than this drop the oldest, at each hundredth event. An engine writes its setting to `{sNN}:events-max`.
local EVENTS_MAX = '100000'
local function events_max() -- rarely
  -- Behind the writes of the step: a key of another type must not end it.
  local most = redis.pcall('GET', slot_tag .. ':events-max')
  return type(most) == 'string' and most or EVENTS_MAX
end
-- A hold is kept for as long as an event can show it.
local EVENT_KEPT_MS = '2678400000'
local events_key = ''
local events_client = ''
local has_events
-- The client's deliveries are due: the process that delivers has been notified, or finds it.
local are_due = false

-- Before the first write of a step that appends events: true when the client has events. `key` is any key of the client. For a client
-- without events it costs one command.
local function may_append_event(key)
  if has_events ~= nil then return has_events end
  events_key = string.sub(key, 1, string.find(key, ':', 14, true)) .. 'events'
  local found = redis.call('TYPE', events_key).ok
  has_events = found ~= 'none'
  if has_events then
    if found ~= 'stream' then must_be('stream', events_key, 'events of a client') end
    events_client = string.sub(events_key, 14, -8)
    -- As a read it fails by itself on a key of another type. By the server's own clock, which the deliverer compares with.
    local due_at = redis.call('ZSCORE', slot_tag .. ':events-due', events_client)
    are_due = due_at and tonumber(due_at) <= server_ms()
  end
  return has_events
end

-- Appends an event where the client has events, and makes its delivery due. `more` is what changed.
local function append_event(key, type, id, now, more)
  if not may_append_event(key) then return end
  local entry = redis.call('XADD', events_key, '1-*', 'e', type .. '|' .. id .. '|' .. now .. '|' .. more)
  if string.sub(entry, -2) == '00' then redis.call('XTRIM', events_key, 'MAXLEN', events_max()) end
  if are_due then return end
  are_due = true
  redis.call('ZADD', slot_tag .. ':events-due', server_now(), events_client)
  redis.call('PUBLISH', 'events', events_client)
end

-- How long an ended hold is kept.
local function hold_kept_ms(key, kept_ms) -- rarely
  return may_append_event(key) and EVENT_KEPT_MS or kept_ms
end

-- The state of a conversion, as booking_of reads it: with its facts it is the record of that moment. What was done afterwards is a list that
-- only grows: its length says which part of it was there.
local function conversion_state(booking) -- rarely
  return booking.status .. '|' .. booking.settled_at .. '|' .. #booking.afterwards
end

-- An account as its record has it, with whether it is its currency's default: `EUR 1 0 1 label`.
local function account_text(record, is_default) -- rarely
  return (string.gsub(record, '^(%u+ %d %d+) ', '%1 ' .. (is_default and '1' or '0') .. ' ', 1))
end

-- Two texts of any content, that of now first.
local function both_texts(now_text, before) -- rarely
  return #now_text .. '|' .. now_text .. before
end

-- An endpoint of webhooks as its events show it: its version, and a list of the rest (webhooks/webhooks.ts reads it).
local function webhook_text(webhook) -- rarely
  local known = redis.call('HMGET', webhook, 'version', 'inactive', 'name', 'url', 'types', 'signature', 'publicKey', 'previousUntil')
  for i = 1, 8 do known[i] = known[i] or '' end
  return table.remove(known, 1) .. '|' .. cjson.encode(known)
end

-- Another account has become the default of its currency: the one that was it until now has changed too.
local function default_moved(accounts, number, now) -- rarely
  if not may_append_event(accounts) then return end
  local record = redis.call('HGET', accounts, number)
  append_event(accounts, 'account.changed', number, now, both_texts(account_text(record, false), account_text(record, true)))
end

-- Of the deliveries of an endpoint beyond `kept_max`, drops the oldest that have ended.
local function trim_deliveries(deliveries, kept_max) -- rarely
  local over = redis.call('ZCARD', deliveries) - tonumber(kept_max)
  if over <= 0 then return end
  for _, record in ipairs(redis.call('ZRANGE', deliveries, 0, over - 1)) do
    if not string.find(record, '^%d+|PENDING|') then redis.call('ZREM', deliveries, record) end
  end
end
