import type { Corridor, Limits } from '../corridors/corridor.js';
import type { Circumstances, Threshold } from '../corridors/when.js';
import type { UkModulusTable } from '../identifiers/uk-modulus.js';
import type { PaymentMethod } from '../payment-details.js';
import type { Findings } from './finding.js';
import type { SubmittedFields } from './submitted-fields.js';

/** What is around the payment: the moment, the client, and what money is worth. */
export interface CheckContext {
  /** Epoch ms. */
  readonly now: number;
  /** The client pays for others. */
  readonly onBehalf: boolean;
  /** A narrative that is too long for its corridor may be cut. */
  readonly allowTruncation: boolean;
  /** The client's registered name: who pays, where no remitter is named. */
  readonly clientName?: string;
  /** Currency of the account that is named; absent where none is named or it is not known. */
  readonly sourceCurrency?: string;
  /** About how many US dollars an amount is; undefined: not known, and a threshold counts as reached. */
  usdEquivalent(amount: number, currency: string): number | undefined;
  /** In US dollars. */
  readonly thresholds?: Readonly<Record<Threshold, number>>;
  /** Weights of the UK's modulus check; without them only the form of an account is checked. */
  readonly ukModulus?: UkModulusTable;
}

/** The version of the request and its fields by their canonical names. */
export interface PaymentToCheck {
  readonly version: 1 | 2;
  readonly input: unknown;
}

/** One payment under examination. */
export interface Examined {
  readonly version: 1 | 2;
  readonly submitted: SubmittedFields;
  readonly found: Findings;
  readonly context: CheckContext;
  readonly circumstances: Circumstances;
  /** ISO 3166; undefined where it is missing or wrong. */
  readonly country: string | undefined;
  readonly currency: string | undefined;
  readonly method: PaymentMethod | undefined;
  readonly corridor: Corridor | undefined;
  /** Of the corridor's method. */
  readonly limits: Limits | undefined;
}
