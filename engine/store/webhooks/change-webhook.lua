-- Changes fields of an endpoint, and makes its deliveries due: its new version. 0 when it has another version than `version`, -1 when there
-- is no such endpoint. `inactive` is why it gets nothing from now on, `ACTIVE`, or '' where that stays. Another `url` is challenged before it
-- gets anything, and so is one that is activated and has not answered yet. What its events show of it makes one, of the given type, where
-- it has changed.
local known = redis.call('HMGET', webhook, 'version', 'url', 'inactive', 'challenge')
if not known[1] then return -1 end
if version ~= '' and version ~= known[1] then return 0 end
local due = slot_tag .. ':events-due'
must_be('zset', due, 'clients with events to deliver')
local before = may_append_event(webhook) and webhook_text(webhook)
local now, at, raised = server_now(), step_now(), tonumber(known[1]) + 1
local is_moved = url ~= '' and url ~= known[2]
local is_unanswered = is_moved or known[4] ~= ''
local becomes = inactive
if becomes == '' then becomes = known[3] == '' and 'ACTIVE' or known[3] end
if becomes == 'ACTIVE' then becomes = is_unanswered and 'PENDING' or '' end
redis.call('HSET', webhook, 'version', raised, 'inactive', becomes, unpack(fields))
if is_moved then redis.call('HSET', webhook, 'url', url) end
-- Its time without a success begins with the next attempt.
if is_moved or inactive == 'ACTIVE' then
  redis.call('HSET', webhook, 'failingSince', '', 'failures', 0, 'restsUntil', 0, 'challenge',
    is_unanswered and later(now, challenge_ms) .. '|' .. now .. '|0|' or '')
end
local after = before and webhook_text(webhook)
if after and string.match(after, '|.*') ~= string.match(before, '|.*') then
  append_event(webhook, type, id, at, both_texts(after, before))
end
redis.call('ZADD', due, 'LT', now, client)
return raised
