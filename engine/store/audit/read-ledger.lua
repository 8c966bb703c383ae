-- A client's ledger at one moment. Returns balances, accounts, the last journal entry that they include, the number of entries, open
-- scheduled sells, overdue conversions, the number of open holds, the server's own time ms, the payments that await funds, the number of
-- entries ever added to the journal ('' where it was never written), the number of archived entries, the length of each index, and overdue
-- conversions by the account bought into, the position, the number of changes of conversions, the receivables,
-- the gains that are paid later, the ids of those that have a time for it, its conversions that its group has
-- as open, and `owes` where its group has it among those that owe.
local last = redis.call('XREVRANGE', journal, '+', '-', 'COUNT', 1)
local kept = redis.call('HMGET', archived, 'entry', 'count')
local added = ''
if redis.call('EXISTS', journal) == 1 then
  local info = redis.call('XINFO', 'STREAM', journal)
  for i = 1, #info, 2 do if info[i] == 'entries-added' then added = string.format('%.0f', info[i + 1]) end end
end
local later, timed = redis.call('ZRANGE', gains, 0, -1), {}
for _, member in ipairs(later) do
  local id = string.match(member, '^[^|]*')
  if redis.call('ZSCORE', due, 'gain:' .. client .. ':' .. id) then timed[#timed + 1] = id end
end
return {
  redis.call('HGETALL', balances), redis.call('HGETALL', accounts), last[1] and last[1][1] or kept[1] or '0-0', redis.call('XLEN', journal),
  redis.call('HGETALL', scheduled), redis.call('ZRANGE', overdue, 0, -1), redis.call('ZCOUNT', open_holds, step_now(), '+inf'),
  string.format('%.0f', server_ms()), redis.call('ZRANGE', waiting, 0, -1),
  added, kept[2] or '0', redis.call('ZCARD', bookings), redis.call('ZCARD', payments), redis.call('ZCARD', fundings),
  redis.call('ZRANGE', overdue_into, 0, -1), redis.call('HGETALL', position), redis.call('ZCARD', changes),
  redis.call('ZRANGE', receivables, 0, -1), later, timed,
  redis.call('ZRANGE', group_open, '[' .. client .. '|', '(' .. client .. '}', 'BYLEX'),
  redis.call('ZSCORE', group_owing, client) and 'owes' or '',
}
