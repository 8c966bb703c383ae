-- Before every step: what more than one of them needs.

-- True when `epoch` is the one that the FIX session's record holds: its caller is the engine that claimed it last.
local function holds_session(session, epoch)
  return redis.call('HGET', session, 'epoch') == epoch
end
