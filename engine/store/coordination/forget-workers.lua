-- Removes workers of a shard that have been away for long and have no entries. In one step: an entry that a worker claims meanwhile would
-- be lost with it.
-- Returns how many.
if redis.call('EXISTS', work) == 0 then return 0 end
local forgotten = 0
for _, worker in ipairs(redis.call('XINFO', 'CONSUMERS', work, 'workers')) do
  local of = {}
  for i = 1, #worker, 2 do of[worker[i]] = worker[i + 1] end
  if of.pending == 0 and of.idle >= tonumber(idle_ms) then
    redis.call('XGROUP', 'DELCONSUMER', work, 'workers', of.name)
    forgotten = forgotten + 1
  end
end
return forgotten
