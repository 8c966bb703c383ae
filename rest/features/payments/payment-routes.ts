/** The routes of payments, in both versions: creations, reads and decisions of the client, and the checks of a payment beforehand. */

import { z } from 'zod';
import type { Payment } from '../../../engine/domain/payments/payment.js';
import { FIELD_FAULT } from '../../openapi/problem-schema.js';
import type { Reference } from '../../openapi/reference.js';
import { listInput, pageBody } from '../lists.js';
import type { Routes } from '../routes.js';
import { flagField, type Names, renamed } from '../shapes.js';
import {
  CREATED_PAYMENT_RESPONSE,
  CREATED_PAYOUT_RESPONSE,
  createdPaymentBody,
  createdPayoutBody,
  PAYMENT_RESPONSE,
  PAYMENTS_RESPONSE,
  paymentBody,
} from './payment-answers.js';
import {
  CANCEL_PAYMENT_REFERENCE,
  CREATE_PAYMENT_REFERENCE,
  CREATE_PAYOUT_REFERENCE,
  INFORMATION_REFERENCE,
  PAYMENT_BY_ID_REFERENCE,
  PAYMENT_BY_REFERENCE_REFERENCE,
  PAYMENT_EXAMPLE,
  PAYMENT_NEEDS,
  PAYMENTS_REFERENCE,
  PAYOUT_EXAMPLE,
  PAYOUT_NEEDS,
} from './payment-references.js';
import { inputBy, PAYMENT_DETAILS, PAYMENT_FORM, PAYMENT_NAMES, PAYOUT_FORM, PAYOUT_NAMES } from './payment-shapes.js';
import { REQUIRED_DETAILS_RESPONSE, requiredDetailsBody } from './required-details.js';

const paymentInput = inputBy(PAYMENT_NAMES);
const payoutInput = inputBy(PAYOUT_NAMES);

const DRY_RUN =
  'The same checks of fields and amounts as in the creation, and nothing is created: a body that is rejected there with VALIDATION_FAILED, BAD_AMOUNT, AMOUNT_BELOW_MIN or AMOUNT_ABOVE_LIMIT is rejected here with the same errors; the amount that a conversion delivers is checked in the creation only. Possible later problems are returned as warnings, also beside errors. Accounts, holds, rates and numbers that were used before are not checked.';

const dryRunReference = (
  summary: string,
  example: Reference['example'],
  needsOneOf: Reference['needsOneOf'],
): Reference => ({
  tag: 'Payments',
  summary,
  description: DRY_RUN,
  example,
  hidden: ['resolved'],
  ...(needsOneOf && { needsOneOf }),
});

const REQUIRED_DETAILS_REFERENCE: Reference = {
  tag: 'Reference',
  summary: 'What a payment needs',
  description:
    'A JSON Schema of the fields that a payment to this country, in this currency and by this method needs, with conditions as if and then. It is generated from the rules that validate payments. With `for=beneficiary` it is the schema of the body of `POST /api/v1/beneficiaries`: the fields that a stored beneficiary has of them.',
  example: { country: 'IN', currency: 'INR', method: 'BANK', party: 'Individual' },
};

const WARNING = {
  field: 'routing_code_value_1',
  code: 'incorrect_value',
  message: 'not in the BSB directory',
  rule: 'AU.routing',
};

const DRY_RUN_RESPONSE = z
  .strictObject({
    valid: flagField('The body is valid: the payment can be created', true),
    warnings: z.array(FIELD_FAULT).meta({
      description: 'Possible later problems; they do not reject the payment',
      examples: [[WARNING]],
    }),
  })
  .meta({ id: 'PaymentValidation', description: 'What a dry run has found' });

interface Outcome {
  readonly valid: boolean;
  readonly warnings: Parameters<typeof renamed>[0];
}

const dryRunBody =
  (names: Names) =>
  ({ valid, warnings }: Outcome): object => ({ valid, warnings: renamed(warnings, names) });

export const PAYMENT_ROUTES = {
  createPayment: {
    method: 'post',
    path: '/api/v1/payments/create',
    limit: 'writes',
    input: (_request, body) => paymentInput(body),
    response: CREATED_PAYMENT_RESPONSE,
    reference: CREATE_PAYMENT_REFERENCE,
    body: createdPaymentBody,
    names: { ...PAYMENT_NAMES, ...PAYMENT_DETAILS },
    ...PAYMENT_FORM,
  },
  createPayout: {
    method: 'post',
    path: '/api/v2/payouts',
    limit: 'writes',
    input: (_request, body) => payoutInput(body),
    response: CREATED_PAYOUT_RESPONSE,
    reference: CREATE_PAYOUT_REFERENCE,
    body: createdPayoutBody,
    names: { ...PAYOUT_NAMES, ...PAYMENT_DETAILS },
    ...PAYOUT_FORM,
  },
  readPayment: {
    method: 'get',
    path: '/api/v1/payments/id/:payment_id',
    limit: 'reads',
    input: ({ params }) => ({ paymentId: params.payment_id }),
    response: PAYMENT_RESPONSE,
    reference: PAYMENT_BY_ID_REFERENCE,
    body: paymentBody,
    names: { paymentId: 'payment_id' },
  },
  readPaymentByReference: {
    method: 'get',
    path: '/api/v1/payments/reference/:reference_number',
    limit: 'reads',
    input: ({ params }) => ({ transactionNumber: params.reference_number }),
    response: PAYMENT_RESPONSE,
    reference: PAYMENT_BY_REFERENCE_REFERENCE,
    body: paymentBody,
    names: { transactionNumber: 'reference_number' },
  },
  cancelPayment: {
    method: 'post',
    path: '/api/v1/payments/id/:payment_id/cancel',
    limit: 'writes',
    input: ({ params }) => ({ paymentId: params.payment_id }),
    response: PAYMENT_RESPONSE,
    reference: CANCEL_PAYMENT_REFERENCE,
    body: paymentBody,
    names: { paymentId: 'payment_id', ...PAYMENT_DETAILS },
  },
  answerInformation: {
    method: 'post',
    path: '/api/v1/payments/id/:payment_id/information',
    limit: 'writes',
    input: ({ params }, body) => ({ paymentId: params.payment_id, information: body?.information }),
    response: PAYMENT_RESPONSE,
    reference: INFORMATION_REFERENCE,
    body: paymentBody,
    names: { paymentId: 'payment_id', ...PAYMENT_DETAILS },
  },
  listPayments: {
    method: 'get',
    path: '/api/v1/payments',
    limit: 'reads',
    input: listInput,
    response: PAYMENTS_RESPONSE,
    reference: PAYMENTS_REFERENCE,
    body: pageBody((payment: Payment) => paymentBody({ payment })),
    names: {},
  },
  validatePayment: {
    method: 'post',
    path: '/api/v1/payments/validate',
    limit: 'writes',
    input: (_request, body) => paymentInput(body),
    response: DRY_RUN_RESPONSE,
    reference: dryRunReference('Validate a payment', PAYMENT_EXAMPLE, PAYMENT_NEEDS),
    body: dryRunBody(PAYMENT_NAMES),
    names: PAYMENT_NAMES,
    ...PAYMENT_FORM,
  },
  validatePayout: {
    method: 'post',
    path: '/api/v2/payouts/validate',
    limit: 'writes',
    input: (_request, body) => payoutInput(body),
    response: DRY_RUN_RESPONSE,
    reference: dryRunReference('Validate a payout', PAYOUT_EXAMPLE, PAYOUT_NEEDS),
    body: dryRunBody(PAYOUT_NAMES),
    names: PAYOUT_NAMES,
    ...PAYOUT_FORM,
  },
  requiredDetails: {
    method: 'get',
    path: '/api/v1/reference/required-details',
    limit: 'reads',
    input: ({ query }) => ({
      country: query.country,
      currency: query.currency,
      method: query.method,
      for: query.for,
      party: query.party,
    }),
    response: REQUIRED_DETAILS_RESPONSE,
    reference: REQUIRED_DETAILS_REFERENCE,
    body: requiredDetailsBody,
    isReferenceData: true,
    names: {},
  },
} satisfies Partial<Routes>;
