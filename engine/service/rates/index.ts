export {
  dealingTime,
  heldRate,
  heldSettlement,
  isoOf,
  marketRate,
  type PricedRate,
  pricedRate,
  quotedRate,
  type Rate,
  refuseIfNotTradable,
  type Settlement,
  settlementOf,
  streamedRate,
} from './conversion-terms.js';
export {
  dealtAt,
  getLockableRate,
  holdMarginOf,
  OFFER_MS,
  offerTolerance,
  oppositeSize,
  rateMoved,
  refuseIfMoved,
} from './get-lockable-rate.js';
export { getRate } from './get-rate.js';
export { listPairStates, listPairs, marketStatus } from './pairs.js';
export { agreedQuote } from './price-proofs.js';
export { openOffer, SIGNATURE_LENGTH_MAX } from './rate-signature.js';
export { readCalendar } from './read-calendar.js';
export { type Dealt, takeHeld, takeLevels, withTaken } from './take-levels.js';
