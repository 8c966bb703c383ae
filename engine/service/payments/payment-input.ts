/** The input of the two versions of the payment operation, by canonical names. */
import { z } from 'zod';
import { FEE_PAYERS, type FeePayer } from '../../domain/payments/payment.js';
import {
  ADDITIONAL_INFO,
  AN_OBJECT,
  account,
  amount,
  BENEFICIARY,
  COMMON,
  optionalText,
  part,
  REMITTER,
  text,
} from '../core/payment-parts.js';

const ABOUT_REMITTER = 'Who pays';
const ABOUT_BENEFICIARY = 'Who is paid';
const ABOUT_MORE = 'About the trade or service that is paid, and for CASH where it is collected';

/** Version 1. */
export const CREATE_PAYMENT_INPUT = z.strictObject({
  ...COMMON,
  accountNumber: account(
    'Account that pays. Default: the default account in the payment currency',
    123456789012,
  ).optional(),
  destinationAmount: amount('Amount paid to the beneficiary; 0 when equivalent_amount decides', 50000),
  equivalentAmount: amount(
    'Amount that is converted into the destination currency; mandatory when destination_amount is 0',
    600.25,
  ).optional(),
  equivalentCurrency: optionalText('Currency of equivalent_amount', { examples: ['USD'] }),
  deductAmount: amount('Amount deducted from what is delivered', 0).optional(),
  remitter: part(z.strictObject(REMITTER, AN_OBJECT), ABOUT_REMITTER),
  beneficiary: part(z.strictObject(BENEFICIARY, AN_OBJECT), ABOUT_BENEFICIARY),
  additionalInfo: part(z.strictObject(ADDITIONAL_INFO, AN_OBJECT), ABOUT_MORE),
});

/** Version 2. */
export const CREATE_PAYOUT_INPUT = z.strictObject({
  ...COMMON,
  sourceAccount: account('Account that pays', 123456789012),
  sourceAmount: amount(
    'Amount that leaves the source account, in its currency. Exactly one of source_amount and destination_amount',
    600.25,
  ).optional(),
  destinationAmount: amount('Amount paid to the beneficiary', 50000).optional(),
  destinationAccount: account('Destination account number: kept, and moves no money').optional(),
  // Exactly one of them: checked by the rules.
  feePayer: text('Who pays the fee: OUR the remitter, on top; BEN the beneficiary, out of what is delivered', {
    enum: FEE_PAYERS,
    examples: ['OUR'],
  }).transform((given) => given as FeePayer),
  remitter: part(z.strictObject(REMITTER, AN_OBJECT), ABOUT_REMITTER),
  beneficiary: part(z.strictObject(BENEFICIARY, AN_OBJECT), ABOUT_BENEFICIARY),
  additionalInfo: part(z.strictObject(ADDITIONAL_INFO, AN_OBJECT), ABOUT_MORE),
  payoutOptions: part(
    z.strictObject(
      {
        fxHoldId: optionalText('Id of a rate that was locked and is held: the payment converts at it'),
        deductAmount: amount('Amount deducted from what is delivered', 0).optional(),
      },
      AN_OBJECT,
    ),
    'How the payment is made',
  ),
});

export type CreatePaymentInput = z.infer<typeof CREATE_PAYMENT_INPUT>;
export type CreatePayoutInput = z.infer<typeof CREATE_PAYOUT_INPUT>;
