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
export { explainMargin } from './explain-margin.js';
export {
  dealtAt,
  getLockableRate,
  OFFER_MS,
  offerTolerance,
  oppositeSize,
  rateMoved,
  refuseIfMoved,
} from './get-lockable-rate.js';
export { getRate } from './get-rate.js';
export { ADD_ON_MAX_PPM, listMargins, removeMargin, setMargin } from './margins.js';
export { listPairStates, listPairs, marketStatus } from './pairs.js';
export { agreedQuote } from './price-proofs.js';
export { listPricing, removePricing, setPricing } from './pricing-rules.js';
export { openOffer, SIGNATURE_LENGTH_MAX } from './rate-signature.js';
export { readCalendar } from './read-calendar.js';
export { type Dealt, takeHeld, takeLevels, withTaken } from './take-levels.js';
