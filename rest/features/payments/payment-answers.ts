/** The answers of payments: to a creation, and to a read. */
import { z } from 'zod';
import { PAYEE_ANSWERS } from '../../../engine/domain/beneficiaries/payee-verification.js';
import { formatMinor } from '../../../engine/domain/money/money.js';
import type { PayeeFacts, Payment } from '../../../engine/domain/payments/payment.js';
import { feeAndDelivered } from '../../../engine/domain/payments/payment-amounts.js';
import {
  PAYMENT_STATUSES,
  PAYMENT_SUB_STATUSES,
  STATUS_TEXT,
  SUB_STATUS_TEXT,
} from '../../../engine/domain/payments/payment-status.js';
import { page } from '../lists.js';
import { choiceField, currencyField, offsetTime, offsetTimeField, textField } from '../shapes.js';

const STATE = {
  reference_number: textField("The client's transaction number", 'INV-2026-00417'),
  payment_id: textField('Payment id', 'PAY01K4M2V7Q8Z3X5YAB'),
  status: choiceField(PAYMENT_STATUSES, 'Status of the payment', 'IN_PROCESS'),
  sub_status: choiceField(PAYMENT_SUB_STATUSES, 'More about the status; often empty', ''),
  status_description: textField('The status in words; of ERROR with the message of the bank', STATUS_TEXT.IN_PROCESS),
  created_at: offsetTimeField('When the payment was created'),
  updated_at: offsetTimeField('When it last changed'),
};

const CREATED = { ...STATE, currency: currencyField('Currency that the beneficiary receives', 'INR') };

export const CREATED_PAYMENT_RESPONSE = z.strictObject(CREATED).meta({ id: 'CreatedPayment' });

export const CREATED_PAYOUT_RESPONSE = z
  .strictObject({
    ...CREATED,
    hold_fx_expires_on: textField('When the held rate expires; empty without one', ''),
  })
  .meta({ id: 'CreatedPayout' });

export const PAYMENT_RESPONSE = z
  .strictObject({
    reference_number: STATE.reference_number,
    payment_id: STATE.payment_id,
    status: STATE.status,
    autobookfx_confirmation_id: textField('Confirmation id of the first conversion made for it; empty without', ''),
    sub_status: STATE.sub_status,
    status_description: STATE.status_description,
    created_at: STATE.created_at,
    updated_at: STATE.updated_at,
    payment_reference_number: textField("Confirmation number of the beneficiary's bank; empty before", ''),
    additional_info: z
      .strictObject({
        currency: currencyField('Currency that the beneficiary receives', 'INR'),
        amount: textField(
          'Amount of the payment, with all decimals of its currency; empty while a source amount awaits its funds',
          '50000.00',
        ),
      })
      .meta({ description: 'What is paid' }),
    fee_amount: textField(
      'What leaves the account beside what is delivered: the fee, deduct_amount, and what is less than the unit of country and method. As agreed while the payment awaits its funds; empty where only a conversion will tell. Stays when the payment ends: the status determines what was refunded',
      '150.00',
    ),
    fee_currency: currencyField('Currency of fee_amount', 'INR'),
    delivered_amount: textField('What the beneficiary receives; as agreed, and empty, as fee_amount', '50000.00'),
    delivered_currency: currencyField('Currency of delivered_amount', 'INR'),
    autobookfx_confirmation_ids: z
      .array(textField('Confirmation id', 'BFX01K4M2V7Q8Z3X5YAB'))
      .meta({ description: 'All conversions made for it, in order: at a hold, and by Auto Book FX' }),
    beneficiary_id: textField(
      'The stored beneficiary that it named; absent without',
      'BNF01K4M2V7Q8Z3X5YAB',
    ).optional(),
    beneficiary_version: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'The version that its fields are from; absent without', examples: [1] }),
    verification: z
      .strictObject({
        answer: choiceField(PAYEE_ANSWERS, 'What the bank of the payee has answered', 'MATCH'),
        code: textField('The code of the scheme; empty where it has none', 'MTCH'),
        verified_at: offsetTimeField('When it has answered'),
      })
      .optional()
      .meta({ description: 'The verification of the payee that the payment carried; absent without' }),
  })
  .meta({ id: 'Payment' });

type Answered = { readonly payment: Payment };

export function createdPaymentBody({ payment }: Answered): z.infer<typeof CREATED_PAYMENT_RESPONSE> {
  return { ...stateOf(payment), currency: payment.currency };
}

export function createdPayoutBody(answered: Answered): z.infer<typeof CREATED_PAYOUT_RESPONSE> {
  const { holdId, holdExpiryMs } = answered.payment;
  const hold_fx_expires_on = holdId === '' ? '' : offsetTime(holdExpiryMs);
  return { ...createdPaymentBody(answered), hold_fx_expires_on };
}

export function paymentBody({ payment }: Answered): z.infer<typeof PAYMENT_RESPONSE> {
  const { currency, bookingIds, bankReference } = payment;
  const { reference_number, payment_id, status, ...more } = stateOf(payment);
  const amounts = feeAndDelivered(payment);
  return {
    reference_number,
    payment_id,
    status,
    autobookfx_confirmation_id: bookingIds[0] ?? '',
    ...more,
    payment_reference_number: bankReference,
    additional_info: { currency, amount: amountOf(payment) },
    fee_amount: amounts ? formatMinor(amounts.fee, currency) : '',
    fee_currency: currency,
    delivered_amount: amounts ? formatMinor(amounts.delivered, currency) : '',
    delivered_currency: currency,
    autobookfx_confirmation_ids: [...bookingIds],
    ...(payment.payee && payeeFields(payment.payee)),
  };
}

function payeeFields({ beneficiaryId, beneficiaryVersion, verification }: PayeeFacts) {
  return {
    ...(beneficiaryId && { beneficiary_id: beneficiaryId, beneficiary_version: beneficiaryVersion }),
    ...(verification && {
      verification: {
        answer: verification.answer,
        code: verification.code,
        verified_at: offsetTime(verification.verifiedAtMs),
      },
    }),
  };
}

function stateOf(payment: Payment) {
  const { transactionNumber, id, status, subStatus, description, createdAtMs, updatedAtMs } = payment;
  const text = SUB_STATUS_TEXT[subStatus] ?? STATUS_TEXT[status];
  return {
    reference_number: transactionNumber,
    payment_id: id,
    status,
    sub_status: subStatus,
    status_description: description === '' ? text : `${text}: ${description}`,
    created_at: offsetTime(createdAtMs),
    updated_at: offsetTime(updatedAtMs),
  };
}

function amountOf({ amount, given, currency }: Payment): string {
  const minor = amount || (given.kind === 'destination' ? given.minor : '');
  return minor === '' ? '' : formatMinor(BigInt(minor), currency);
}

export const PAYMENTS_RESPONSE = page(PAYMENT_RESPONSE, 'PaymentList', 'Payments of the client');
