export { ackAfterProcessing, InFlightMessages } from '../../store/sessions/in-flight.js';
export { type OutboxEntry, type SessionAccess, sessionAccess } from './session-access.js';
export { clientOfCompId, liveDesks, logOutDesks, untilGone } from './session-record.js';
export { listSessions, logOutSession, resetSession } from './sessions.js';
