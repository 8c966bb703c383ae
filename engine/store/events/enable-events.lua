-- From now on the client has events: an empty stream whose next id is `1-1`. 1, or 0 where it has one already.
if redis.call('EXISTS', events) == 1 then return 0 end
redis.call('XADD', events, '1-0', 'e', '')
redis.call('XDEL', events, '1-0')
return 1
