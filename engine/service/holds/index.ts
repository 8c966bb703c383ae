/** What the table of operations and other features use of this one. */

export { readHold, releaseHold } from './client-holds.js';
export { checkHoldMaximum } from './hold-notional.js';
export { lockRate } from './lock-rate.js';
export { listHolds, revokeHold, withdrawHolds } from './operator-holds.js';
