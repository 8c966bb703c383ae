-- Converts a receipt from form 1, once: 1, else 0. It ends when it would have ended.
if redis.call('TYPE', receipt).ok ~= 'hash' then return 0 end
redis.call('SET', receipt, value, 'KEEPTTL')
return 1
