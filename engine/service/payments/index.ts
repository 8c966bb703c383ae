export { fundingExpired } from './allocate-funds.js';
export { stoppedPayouts } from './check-balances.js';
export {
  answerInformation,
  cancelPayment,
  listPayments,
  PAYMENTS,
  readPayment,
  readPaymentByReference,
} from './client-payments.js';
export { createPayment, createPayout, payOut, payoutOrder, validatePayment, validatePayout } from './create-payment.js';
export { listFees, removeFee, setFee } from './fees.js';
export { forcePayment } from './force-payment.js';
export {
  approvePayment,
  cancelPaymentByOperator,
  confirmPaid,
  findPayments,
  rejectPayment,
  requestInformation,
  retryPayment,
  returnPayment,
  showPayment,
} from './operator-payments.js';
export { amountRefusal, factsOf, type PaymentOrder } from './pay.js';
export type { CreatePayoutInput } from './payment-input.js';
export { payeeOf } from './payment-payee.js';
export { planPayment } from './plan-payment.js';
export { requiredDetails } from './required-details.js';
export type { WorkOutcome } from './work-payment.js';
