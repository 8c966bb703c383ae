/** What the house risks: how much a client may deal, who may deal, and in which state the house, its clients and the pairs are. */
export {
  aboveDealLimit,
  judgeHold,
  limitsOf,
  limitsOfDates,
  stepLimits,
  valuedDeal,
  withLimits,
} from './check-limits.js';
export { aboveDailyLoss, lossOf, readDailyLoss } from './daily-loss.js';
export { usesOfClient } from './limit-uses.js';
export { listLimits, removeLimits, setLimits } from './limits.js';
export { listPositions } from './list-positions.js';
export { type Deal, houseLimitsOf, isReducing, refuseIfNotReducing } from './reducing.js';
export { positionWithSubClients, readDayStarts } from './sub-client-positions.js';
export {
  haltClient,
  haltHouse,
  haltPair,
  haltTrading,
  readTradingState,
  reduceClient,
  reduceHouse,
  reducePair,
  resumeClient,
  resumeHouse,
  resumePair,
  showHouse,
} from './trading-states.js';
