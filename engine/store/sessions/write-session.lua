-- Sets fields of a FIX session: 1. 0 for an older epoch.
if not holds_session(session, epoch) then return 0 end
redis.call('HSET', session, unpack(fields))
return 1
