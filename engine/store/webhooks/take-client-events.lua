-- Takes the deliveries of a client for `taken_ms`, in which another process does not begin them: until when, by the server's clock. An event
-- that comes meanwhile makes them due again.
local taken_until = later(server_now(), taken_ms)
redis.call('ZADD', due, taken_until, client)
return taken_until
