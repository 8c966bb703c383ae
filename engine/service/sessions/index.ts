/** What the table of operations and other features use of this one. */
export { listSessions } from './list-sessions.js';
export { logOutDesks } from './log-out-desks.js';
export { logOutSession } from './log-out-session.js';
export { resetSession } from './reset-session.js';
export { clientOfCompId, untilGone } from './session-record.js';
