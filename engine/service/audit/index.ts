/** What the table of operations and other features use of this one. */
export { archiveJournal } from './archive-journal.js';
export { readAudit, verifyAudit } from './audit-log.js';
export { pageJournal, readJournal, withMoves } from './journal.js';
export { reconcile } from './reconcile.js';
export { listArchiveHeads } from './verify-archive.js';
