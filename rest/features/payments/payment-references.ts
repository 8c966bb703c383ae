/** The reference texts of the payment routes, and their examples. */
import type { Reference } from '../../openapi/reference.js';
import { PAGES } from '../lists.js';

const PARTIES = {
  transaction_number: 'INV-2026-00417',
  destination_currency: 'INR',
  destination_amount: 50000,
  statement_narrative: 'Invoice 417',
  routing_code_type_1: 'IFSC',
  routing_code_value_1: 'HDFC0000001',
};

const REMITTER = {
  name: 'Acme Trading Pte Ltd',
  account_type: 'Company',
  identification_type: 'Company Registration No',
  identification_number: '201812345K',
  country_code: 'SG',
  address: '1 Raffles Place',
};

const BENEFICIARY = {
  name: 'Sharma Textiles Pvt Ltd',
  account_type: 'Company',
  country_code: 'IN',
  address: '12 Marine Drive',
  city: 'Mumbai',
  bank_name: 'HDFC Bank',
  account_number: '50100012345678',
};

const flat = (part: string, fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${part}_${name}`, value]));

/** Bodies that can be sent as they are, but for the transaction number, which is used once, and the account. */
export const PAYMENT_EXAMPLE = {
  request_id: 'req-20261120-0001',
  ...PARTIES,
  remit_purpose_code: 'IR01811',
  ...flat('remitter', REMITTER),
  ...flat('beneficiary', BENEFICIARY),
};

export const PAYOUT_EXAMPLE = {
  request_id: 'req-20261120-0002',
  ...PARTIES,
  source_account: 400100000035,
  fee_payer: 'OUR',
  remitter: { ...REMITTER, purpose_code: 'IR01811' },
  beneficiary: BENEFICIARY,
};

/** The fields, or a stored beneficiary. */
export const PAYMENT_NEEDS = [
  ['beneficiary_name', 'beneficiary_id'],
  ['beneficiary_country_code', 'beneficiary_id'],
];
export const PAYOUT_NEEDS = [
  ['beneficiary.name', 'beneficiary_id'],
  ['beneficiary.country_code', 'beneficiary_id'],
];

const FUNDS =
  'Where the accounts lack funds the payment is created as AWAITING_FUNDS, and is funded when money arrives, the oldest of each account first. ' +
  'A transaction_number pays once, permanently and over both versions: repeated with any body, it is rejected with 409, which names the payment, its status and the request_id of the first request.';

const AGREEMENT =
  'An account in another currency can be named under an Auto Book FX agreement, which is any account with an auto_bookfx_sequence above 0: it is sold first, then the accounts of the agreement in their order for the shortfall';

export const CREATE_PAYMENT_REFERENCE: Reference = {
  tag: 'Payments',
  summary: 'Send a payment',
  description: `Pays destination_amount, or with 0 there the value of equivalent_amount at the client's rate of this moment, from the account named, or from the default one in the payment currency; the fee is on top. ${AGREEMENT}. ${FUNDS}`,
  example: PAYMENT_EXAMPLE,
  hidden: ['resolved'],
  needsOneOf: PAYMENT_NEEDS,
  alsoRefused: [409],
};

export const CREATE_PAYOUT_REFERENCE: Reference = {
  tag: 'Payments',
  summary: 'Send a payout',
  description: `The second version: nested, and rejects unknown fields. Exactly one amount is given: destination_amount, what the beneficiary is paid, or source_amount, all that leaves the source account, which then pays alone. With fee_payer OUR the fee is on top of destination_amount and within source_amount; with BEN it comes out of what is delivered. With fx_hold_id the source account is sold at the held rate, which is used by that. ${AGREEMENT}. ${FUNDS}`,
  example: PAYOUT_EXAMPLE,
  hidden: ['resolved'],
  needsOneOf: PAYOUT_NEEDS,
  alsoRefused: [409],
};

export const PAYMENT_BY_ID_REFERENCE: Reference = {
  tag: 'Payments',
  summary: 'Read a payment by its id',
  description: 'The current state of the payment.',
  example: { payment_id: 'PAY01K4M2V7Q8Z3X5YAB' },
  fields: { payment_id: 'Payment id returned by the creation' },
};

export const PAYMENT_BY_REFERENCE_REFERENCE: Reference = {
  tag: 'Payments',
  summary: 'Read a payment by your own number',
  description: 'The current state of the payment.',
  example: { reference_number: 'INV-2026-00417' },
  fields: { reference_number: 'Transaction number of the creation' },
};

export const CANCEL_PAYMENT_REFERENCE: Reference = {
  tag: 'Payments',
  summary: 'Cancel a payment',
  description:
    'Until it is sent to the beneficiary’s bank: it becomes USER_REJECTED and is refunded in full, fee included, to the account that paid and in its currency; a conversion made for it is not reversed. From PG_PROCESSING on it is rejected with NOT_CANCELLABLE and its status.',
  example: { payment_id: 'PAY01K4M2V7Q8Z3X5YAB' },
  fields: { payment_id: 'Payment id returned by the creation' },
};

export const INFORMATION_REFERENCE: Reference = {
  tag: 'Payments',
  summary: 'Answer a request for information',
  description:
    'For a payment in INFO_REQUESTED, whose status_description has the question: it returns to compliance. In any other status it is rejected with WRONG_STATE.',
  example: {
    payment_id: 'PAY01K4M2V7Q8Z3X5YAB',
    information: 'Invoice 417 is for 200 m of cotton, ordered on 3 November.',
  },
  fields: {
    payment_id: 'Payment id returned by the creation',
    information: 'The answer, 1 to 2,000 characters',
  },
};

export const PAYMENTS_REFERENCE: Reference = {
  tag: 'Payments',
  summary: 'List payments',
  description: `The client’s payments of both versions. ${PAGES}`,
  example: { from: '2026-11-20', status: 'PAID,RETURNED', currency: 'INR', limit: 50 },
};
