export { archiveJournal } from './archive-journal.js';
export { readAudit, verifyAudit } from './audit-log.js';
export { pageJournal, readJournal, withMoves } from './journal.js';
export { reconcile } from './reconcile.js';
export { listArchiveHeads } from './verify-archive.js';
