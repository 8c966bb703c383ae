/** What the checks of a payment read, and the findings that they report. */

import type { UkModulusTable } from '../../beneficiaries/identifiers/uk-modulus.js';
import type { FieldFault, FieldFaultCode } from '../../core/refusal.js';
import type { Corridor, Limits } from '../corridors/corridor.js';
import type { Field } from '../corridors/field.js';
import type { Circumstances, Threshold } from '../corridors/when.js';
import type { PaymentMethod } from '../payment-details.js';
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
  readonly sourceCurrency?: string | undefined;
  /** About how many US dollars an amount is; undefined: not known, and a threshold counts as reached. */
  usdEquivalent(amount: number, currency: string): number | undefined;
  /** In US dollars. */
  readonly thresholds?: Readonly<Record<Threshold, number>> | undefined;
  /** Weights of the UK's modulus check; without them only the form of an account is checked. */
  readonly ukModulus?: UkModulusTable | undefined;
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

/**
 * What is wrong with one field, and by which rule: G1 to G18 are the general ones, `IN.account` a corridor's, `required`, `list` and `type`
 * the interface's own, `conditional` what becomes mandatory by what else was sent.
 */
export interface Finding extends FieldFault {
  readonly rule: string;
}

/** Behind a country: the rule of an amount that its method does not deliver. Where that is all, the payment is refused with BAD_AMOUNT. */
export const OFF_UNIT = '.decimals';

/** All findings of one payment; the first of a field is the one that is reported. */
export class Findings {
  readonly #found = new Map<string, Finding>();
  readonly warnings: Finding[] = [];

  add(field: Field, code: FieldFaultCode, message: string, rule: string): void {
    if (!this.#found.has(field)) this.#found.set(field, { field, code, message, rule });
  }

  /** Something that may go wrong, and does not stop the payment. */
  warn(field: Field, code: FieldFaultCode, message: string, rule: string): void {
    this.warnings.push({ field, code, message, rule });
  }

  has(field: Field): boolean {
    return this.#found.has(field);
  }

  get all(): Finding[] {
    return [...this.#found.values()];
  }
}
