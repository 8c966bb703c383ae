-- Changes the fields of a beneficiary, or its status; each makes a version. Absent facts and an absent status stay.
-- Returns {'changed', version, at ms}, behind it without new facts those that stay and the cards; {'same', version}, {'missing'},
-- {'version', version}, {'duplicate', id of the beneficiary that has the account} or {'limit'}.
local state = redis.call('HGET', beneficiary, 's')
if not state then return { 'missing' } end
local version, was, _, created, old_account, versions = string.match(state, '^(%d+)|(%u+)|(%d+)|(%d+)|([^|]*)|(.*)$')
if not version then error('the state of a beneficiary cannot be read: run ratewire reconcile', 0) end
if expected ~= '' and expected ~= version then return { 'version', version } end
if status == '' then status = was end
if facts == '' and status == was then return { 'same', version } end
local next_version = string.format('%.0f', tonumber(version) + 1)
if facts ~= '' then
  local holder = redis.call('HGET', payees, account)
  if holder and holder ~= beneficiary_id then return { 'duplicate', holder } end
  local _, made = string.gsub(versions, '%d+', '')
  if made > tonumber(most) then return { 'limit' } end
end
may_append_event(beneficiary)

-- No refusal after this point.
local now = step_now()
if facts ~= '' then
  redis.call('HSET', beneficiary, 'f' .. string.match(versions, '%d+$'), redis.call('HGET', beneficiary, 'f'), 'f', facts)
  if cards ~= '' then redis.call('HSET', beneficiary, 'c', cards) else redis.call('HDEL', beneficiary, 'c') end
  if account ~= old_account then
    redis.call('HDEL', payees, old_account)
    redis.call('HSET', payees, account, beneficiary_id)
  end
  versions, old_account = versions .. ' ' .. next_version, account
end
redis.call('HSET', beneficiary, 's', next_version .. '|' .. status .. '|' .. now .. '|' .. created .. '|' .. old_account .. '|' .. versions)
local type = status == 'DISABLED' and was ~= status and 'beneficiary.disabled' or 'beneficiary.changed'
append_event(beneficiary, type, beneficiary_id, now, next_version .. '|' .. status .. '|' .. was)
if facts ~= '' then return { 'changed', next_version, now } end
local kept = redis.call('HMGET', beneficiary, 'f', 'c')
return { 'changed', next_version, now, kept[1], kept[2] or '' }
