-- Restricts trading of a subject, or ends its restriction where none is given. One of the same state stays as it is; a change raises the
-- version. Answers whether it changed, and the restriction in force ('' for none).
must_be('string', version, 'version of the trading states')
local known = redis.call('HGET', restrictions, subject)
if restriction == '' then
  if known then redis.call('HDEL', restrictions, subject) end
else
  local state = '^{"state":"%u+"'
  if known and string.match(known, state) == string.match(restriction, state) then return { 0, known } end
  redis.call('HSET', restrictions, subject, restriction)
end
if restriction == '' and not known then return { 0, '' } end
redis.call('INCR', version)
return { 1, restriction }
