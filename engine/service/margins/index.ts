/** What the table of operations and other features use of this one. */
export { explainMargin } from './explain-margin.js';
export { listMargins, removeMargin, setMargin } from './margins.js';
