-- Halts a pair, unless it is halted already, or resumes it where no halt is given; a change raises the version: 1, else 0.
must_be('string', version, 'version of the halts')
local changed
if halt == '' then changed = redis.call('HDEL', halts, pair) else changed = redis.call('HSETNX', halts, pair, halt) end
if changed == 1 then redis.call('INCR', version) end
return changed
