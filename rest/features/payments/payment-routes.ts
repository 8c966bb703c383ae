/** The routes of payments, in both versions. */

import type { Payment } from '../../../engine/domain/payment.js';
import { listInput, pageBody } from '../lists.js';
import type { Routes } from '../routes.js';
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
  PAYMENTS_REFERENCE,
} from './payment-references.js';
import { inputBy, PAYMENT_DETAILS, PAYMENT_FORM, PAYMENT_NAMES, PAYOUT_FORM, PAYOUT_NAMES } from './payment-shapes.js';

type PaymentOperation =
  | 'createPayment'
  | 'createPayout'
  | 'readPayment'
  | 'readPaymentByReference'
  | 'cancelPayment'
  | 'answerInformation'
  | 'listPayments';

const paymentInput = inputBy(PAYMENT_NAMES);
const payoutInput = inputBy(PAYOUT_NAMES);

export const PAYMENT_ROUTES: Pick<Routes, PaymentOperation> = {
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
};
