-- Appends the event of a verification, which is stored nowhere else.
append_event(payees, 'verification.completed', verification_id, step_now(), what)
return 1
