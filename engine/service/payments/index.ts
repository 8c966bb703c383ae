/** What the table of operations and other features use of this one. */
export { answerInformation } from './answer-information.js';
export { cancelPayment } from './cancel-payment.js';
export { createPayment } from './create-payment.js';
export { createPayout } from './create-payout.js';
export {
  approvePayment,
  confirmPaid,
  giveUpPayment,
  rejectPayment,
  requestInformation,
  retryPayment,
  returnPayment,
} from './decide-payment.js';
export { findPayments } from './find-payments.js';
export { missingFunds } from './fund-waiting.js';
export { listFees } from './list-fees.js';
export { listPayments } from './list-payments.js';
export { readPayment, readPaymentByReference } from './read-payment.js';
export { removeFee } from './remove-fee.js';
export { requiredDetails } from './required-details.js';
export { setFee } from './set-fee.js';
export { showPayment } from './show-payment.js';
export { validatePayment, validatePayout } from './validate-payment.js';
