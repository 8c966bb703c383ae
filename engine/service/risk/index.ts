/** Limits of clients and of the house: set by the operator, and asked by each deal. */
export { aboveDealLimit, checkDeal, dealValue, holdAboveLimit, stepLimits } from './check-limits.js';
export { listLimits, removeLimits, setLimits } from './limits.js';
/** What the house risks: who may deal, and in which state the house, its clients and the pairs are. */
export {
  haltClient,
  haltHouse,
  haltPair,
  reduceClient,
  reduceHouse,
  reducePair,
  resumeClient,
  resumeHouse,
  resumePair,
  showHouse,
} from './trading-states.js';
