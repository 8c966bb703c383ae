/** What the table of operations and other features use of this one. */
export { checkHoldMaximum } from './hold-notional.js';
export { listHolds } from './list-holds.js';
export { lockRate } from './lock-rate.js';
export { readHold } from './read-hold.js';
export { releaseHold } from './release-hold.js';
export { revokeHold } from './revoke-hold.js';
export { withdrawHolds } from './withdraw-holds.js';
