-- Adds items to a batch, or removes them: all of them or none. `items` is, for each one, its id, its transaction number, the fingerprint of its
-- content, and the content, encrypted; all three are '' for one to be removed. An id that the batch has with the same content changes nothing;
-- with other content it is replaced where `replaces`, else a conflict. A change makes the batch OPEN.
-- Returns {'changed', state, added, replaced, removed}, {'gone'}, {'version'}, {'status', status}, {'conflict', item ids ...}, {'unknown', item id} or {'full', items}.
local s, now = batch_state(batch), step_now()
if not s then return { 'gone' } end
if version ~= '' and s.version ~= version then return { 'version' } end
if s.status ~= 'OPEN' and s.status ~= 'VALIDATED' then return { 'status', s.status } end
local conflicts, changes, added, replaced, removed = { 'conflict' }, {}, 0, 0, 0
for at = 1, #items, 4 do
  local id, transaction, fingerprint = items[at], items[at + 1], items[at + 2]
  local record = redis.call('HGET', batch, 'i:' .. id)
  if fingerprint == '' then
    if not record then return { 'unknown', id } end
    removed = removed + 1
    changes[#changes + 1] = { id = id }
  else
    local number, known = string.match(record or '', '^(%d+)|[^|]*|P|(.*)$')
    if not record then
      added = added + 1
      s.last_number = plus(s.last_number, 1)
      number = string.rep('0', 4 - #s.last_number) .. s.last_number
    elseif known ~= fingerprint then
      replaced = replaced + 1
      if replaces == '' then conflicts[#conflicts + 1] = id end
    end
    if known ~= fingerprint then
      changes[#changes + 1] = { id = id, record = number .. '|' .. transaction .. '|P|' .. fingerprint, content = items[at + 3] }
    end
  end
end
if #conflicts > 1 then return conflicts end
if tonumber(s.items) + added - removed > tonumber(items_max) or #s.last_number > 4 then return { 'full', s.items } end

must_be('hash', contents, 'contents of a batch')
-- No refusal after this point.
for _, change in ipairs(changes) do
  if change.record then
    redis.call('HSET', batch, 'i:' .. change.id, change.record)
    redis.call('HSET', contents, change.id, change.content)
  else
    redis.call('HDEL', batch, 'i:' .. change.id)
    redis.call('HDEL', contents, change.id)
  end
end
if #changes > 0 then
  s.items, s.status = plus(s.items, added - removed), 'OPEN'
  write_batch(batch, s, now, true)
end
return { 'changed', batch_text(s), added, replaced, removed }
