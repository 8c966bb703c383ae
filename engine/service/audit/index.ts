/** What the table of operations and other features use of this one. */
export { archiveJournal } from './archive-journal.js';
export { withMoves } from './journal-shown.js';
export { pageJournal } from './page-journal.js';
export { readAudit } from './read-audit.js';
export { readJournal } from './read-journal.js';
export { reconcile } from './reconcile.js';
export { listArchiveHeads } from './verify-archive.js';
export { verifyAudit } from './verify-audit.js';
