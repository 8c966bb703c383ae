/** Limits of clients and of the house: set by the operator, and asked by each deal. */
export { aboveDealLimit, checkDeal, dealValue, holdAboveLimit, stepLimits } from './check-limits.js';
export { listLimits, removeLimits, setLimits } from './limits.js';
