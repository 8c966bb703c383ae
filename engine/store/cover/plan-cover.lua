-- Writes a cover order, planned or suggested, for the holder of the risk lease: at most one that is open for each pair.
-- Returns 'planned', 'fenced': another process has the lease, or 'open': the pair has an open one.
if redis.call('GET', fence) ~= holding then return 'fenced' end
if redis.call('HEXISTS', open_covers, pair) == 1 or redis.call('EXISTS', cover) == 1 then return 'open' end
must_be('zset', covers, 'list of cover orders')
redis.call('HSET', open_covers, pair, id)
redis.call('HSET', cover, 'status', status, 'facts', facts, 'filled', '0', 'quote', '0')
redis.call('ZADD', covers, 0, id)
return 'planned'
