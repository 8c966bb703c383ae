-- Ensures that no later claim gets an outbound number below the bound: 1. 0 for an older epoch. The bound never falls.
if not holds_session(session, epoch) then return 0 end
if tonumber(bound) > tonumber(redis.call('HGET', session, 'out')) then redis.call('HSET', session, 'out', bound) end
return 1
