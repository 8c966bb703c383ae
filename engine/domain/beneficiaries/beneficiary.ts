/** A stored beneficiary: who is paid and where, so that payments can name it. Its versions are kept; its account is in one beneficiary only. */
import type { Field } from '../payments/corridors/field.js';
import type { PayeeDetails, PaymentDetails, PaymentMethod } from '../payments/payment-details.js';

export const BENEFICIARY_STATUSES = ['ACTIVE', 'DISABLED'] as const;
export type BeneficiaryStatus = (typeof BENEFICIARY_STATUSES)[number];

/** At most so many of one client. */
export const BENEFICIARIES_MAX = 10_000;
/** At most so many changes of the fields of one beneficiary. */
export const BENEFICIARY_CHANGES_MAX = 100;

export type BeneficiaryDetails = PayeeDetails & Pick<PaymentDetails, 'payoutMethod'>;

/** One version. Card numbers are in it as their last four digits. */
export interface BeneficiaryFacts {
  /** ISO 3166. */
  readonly country: string;
  /** What the beneficiary receives. */
  readonly currency: string;
  readonly method: PaymentMethod;
  readonly details: BeneficiaryDetails;
  /** The client key that made this version. */
  readonly by: string;
}

export interface Beneficiary extends BeneficiaryFacts {
  readonly id: string;
  /** From 1; each change of the fields or of the status makes another. */
  readonly version: number;
  readonly status: BeneficiaryStatus;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Card numbers, encrypted; '' without. */
  readonly sealedCards: string;
}

/** The fields of a payment that its beneficiary has, beside those of the object `beneficiary`. */
export const DESTINATION_FIELDS = [
  'destinationCurrency',
  'depositMethod',
  'payoutMethod',
  'routingCodeType1',
  'routingCodeValue1',
  'routingCodeType2',
  'routingCodeValue2',
  'routingCodeType3',
  'routingCodeValue3',
] as const satisfies readonly Field[];

/** Whether a beneficiary has this field of a payment. */
export const isOfBeneficiary = (field: string): boolean =>
  field === 'beneficiary' ||
  field.startsWith('beneficiary.') ||
  (DESTINATION_FIELDS as readonly string[]).includes(field);
