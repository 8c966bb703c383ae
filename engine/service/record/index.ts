export { clientPriceOf, explainPrice, readPrice } from './price-of-record.js';
