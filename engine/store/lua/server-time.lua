-- The clock of the server that has KEYS[1]: seconds, microseconds.
return redis.call('TIME')
