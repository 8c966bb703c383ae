export { explainMargin } from './explain-margin.js';
export { listMargins, removeMargin, setMargin } from './margins.js';
export { listPricing, removePricing, setPricing } from './pricing-rules.js';
export { listSubClientMargins, removeSubClientMargin, setSubClientMargin } from './sub-client-margins.js';
