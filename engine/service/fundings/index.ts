/** What the table of operations and other features use of this one. */
export { createFunding } from './create-funding.js';
export { cancelFunding, completeFunding, rejectFunding, reverseFunding } from './decide-funding.js';
export { findFundings } from './find-fundings.js';
export { listFundings } from './list-fundings.js';
export { readFunding } from './read-funding.js';
export { takeUpFunding } from './sandbox-funding.js';
export { showFunding } from './show-funding.js';
