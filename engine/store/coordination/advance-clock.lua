-- Advances a client's own clock, in a sandbox: its entries of the shard's due list become due so much earlier, in the same call, so that
-- neither is ever without the other. By so many ms, or until a time of that clock; one that has passed changes nothing.
-- Returns {'moved', ms that it is ahead now, its time}, {'limit', ms that it is ahead}, or {'busy'}: more entries in the due list than a
-- step may pass.
local now = step_now()
local before = own_ms
local by = until_ms == '' and tonumber(by_ms) or math.max(0, tonumber(until_ms) - tonumber(now))
local offset = string.format('%.0f', before + by)
if before + by > tonumber(most_ms) then return { 'limit', string.format('%.0f', before) } end
if redis.call('ZCARD', due) > tonumber(most_entries) then return { 'busy' } end
must_be('string', shard_clock, "clock of the shard's steps")

local PAGE = 1000
local named, entries = ':' .. client .. ':', {}
for from = 0, tonumber(most_entries), PAGE do
  local page = redis.call('ZRANGE', due, from, from + PAGE - 1, 'WITHSCORES')
  for i = 1, #page, 2 do
    if string.find(page[i], named, 1, true) then
      entries[#entries + 1] = { string.format('%.0f', tonumber(page[i + 1]) - by), page[i] }
    end
  end
  if #page < 2 * PAGE then break end
end
-- No refusal after this point.
if by > 0 then
  redis.call('SET', clock, offset)
  redis.call('SET', shard_clock, '0', 'NX')
  for _, entry in ipairs(entries) do redis.call('ZADD', due, entry[1], entry[2]) end
end
return { 'moved', offset, later(now, by) }
