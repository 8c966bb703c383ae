-- Creates a record with the given fields, unless it exists: 1, else 0. Without a lifetime it does not expire.
if redis.call('EXISTS', record) == 1 then return 0 end
redis.call('HSET', record, unpack(fields))
if lifetime_ms ~= '' then redis.call('PEXPIRE', record, lifetime_ms) end
return 1
