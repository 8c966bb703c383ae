export { explainMargin } from './explain-margin.js';
export { listMargins, removeMargin, setMargin } from './margins.js';
export { listPricing, removePricing, setPricing } from './pricing-rules.js';
