export {
  decideConversion,
  decideFunding,
  decidePayment,
  sandboxConversion,
  sandboxFunding,
  sandboxPayment,
} from './outcomes.js';
