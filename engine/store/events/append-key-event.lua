-- Appends the event of a change of a client key, once for each mark of one: the record of the key is in another slot, so that its own step can
-- only mark the change. Marks are numbered. 1, or 0 where this one or a later one has its event, or the client has no events.
local last = redis.call('HGET', key_events, client_key)
if not may_append_event(events) or (last and tonumber(string.match(last, '%d+$')) >= tonumber(number)) then return 0 end
redis.call('HSET', key_events, client_key, mark)
append_event(events, type, client_key, at_ms, live_secrets)
return 1
