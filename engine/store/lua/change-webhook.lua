-- Changes fields of an endpoint, and makes its deliveries due: its new version. 0 when it has another version than `version`, -1 when there
-- is no such endpoint.
local current = redis.call('HGET', webhook, 'version')
if not current then return -1 end
if version ~= '' and version ~= current then return 0 end
local due = slot_tag .. ':events-due'
must_be('zset', due, 'clients with events to deliver')
local raised = tonumber(current) + 1
redis.call('HSET', webhook, 'version', raised, unpack(fields))
redis.call('ZADD', due, 'LT', server_now(), client)
return raised
