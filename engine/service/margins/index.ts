/** What the table of operations and other features use of this one. */
export { explainMargin } from './explain-margin.js';
export { listMargins } from './list-margins.js';
export { removeMargin } from './remove-margin.js';
export { setMargin } from './set-margin.js';
