-- Marks a batch as VALIDATED or CLOSED, once. What its items take, `total`, and the versions of their beneficiaries, `bound`, are those of the closing.
-- Returns {'moved', state}, {'again', state} (it has that status), {'gone'}, {'version'}, or {'status', status} that does not allow it.
local s = batch_state(batch)
if not s then return { 'gone' } end
if s.status == to and comes_again(s, version) then return { 'again', batch_text(s) } end
if version ~= '' and s.version ~= version then return { 'version' } end
if s.status ~= from then return { 'status', s.status } end
may_append_event(batch)
local before, now = batch_text(s), step_now()
s.status, s.total = to, total
for i = 1, #bound, 2 do
  local item = 'i:' .. bound[i]
  redis.call('HSET', batch, item, redis.call('HGET', batch, item) .. '|' .. bound[i + 1])
end
write_batch(batch, s, now, true)
batch_moved(batch, batch_id, s, before, now)
return { 'moved', batch_text(s) }
