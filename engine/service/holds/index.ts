export { readHeldRate, readHold, releaseHold, releaseHolds } from './client-holds.js';
export { checkHoldMaximum } from './hold-notional.js';
export { lockRate } from './lock-rate.js';
export { listHolds, revokeHold, revokeHolds } from './operator-holds.js';
