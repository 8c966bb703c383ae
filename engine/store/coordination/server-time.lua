-- The clock of the server that has the key: seconds, microseconds.
return redis.call('TIME')
