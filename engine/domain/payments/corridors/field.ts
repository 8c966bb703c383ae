/** The fields of a payment by the names of its canonical form, `beneficiary.accountNumber`. */
import type { AdditionalInfo, Beneficiary, PaymentDetails, Remitter } from '../payment-details.js';

type Top = Exclude<keyof PaymentDetails, 'remitter' | 'beneficiary' | 'additionalInfo'>;

/** Amounts and source accounts; some are of one version alone. */
type Money =
  | 'requestId'
  | 'transactionNumber'
  | 'destinationCurrency'
  | 'destinationAmount'
  | 'accountNumber'
  | 'equivalentAmount'
  | 'equivalentCurrency'
  | 'deductAmount'
  | 'sourceAccount'
  | 'sourceAmount'
  | 'feePayer'
  | 'payoutOptions.deductAmount'
  | 'payoutOptions.fxHoldId';

export type Field =
  | Top
  | Money
  | `remitter.${keyof Remitter}`
  | `beneficiary.${keyof Beneficiary}`
  | `additionalInfo.${keyof AdditionalInfo}`;
