-- Halts a pair, unless it is halted already, or resumes it where nothing is said of the halt; a change raises the version: 1, else 0.
-- KEYS: halts, version. ARGV: pair, halt or empty.
must_be('string', KEYS[2], 'version of the halts')
local changed
if ARGV[2] == '' then changed = redis.call('HDEL', KEYS[1], ARGV[1]) else changed = redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) end
if changed == 1 then redis.call('INCR', KEYS[2]) end
return changed
