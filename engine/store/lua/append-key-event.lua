-- Appends the event of a change of a client key, once for each mark of one: the record of the key is in another slot, so that its own step can
-- only mark the change. 1, or 0 where it is there already, or the client has no events.
if not may_append_event(events) or redis.call('HGET', key_events, client_key) == mark then return 0 end
redis.call('HSET', key_events, client_key, mark)
append_event(events, type, client_key, at_ms, live_secrets)
return 1
