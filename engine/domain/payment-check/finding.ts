import type { Field } from '../corridors/field.js';
import type { FieldFault, FieldFaultCode } from '../refusal.js';

/**
 * What is wrong with one field, and by which rule: G1 to G18 are the general ones, `IN.account` a corridor's, `required`, `list` and `type`
 * the interface's own, `conditional` what becomes mandatory by what else was sent.
 */
export interface Finding extends FieldFault {
  readonly rule: string;
}

/** The rule of names that are no field; such a name is the sender's own, and never ours. */
export const UNKNOWN_FIELD = 'G17';

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

  /** A name that is no field: as it was sent. */
  addUnknown(name: string, message: string): void {
    // It may be spelled as a field of ours is.
    this.#found.set(` ${name}`, { field: name, code: 'unsupported_field', message, rule: UNKNOWN_FIELD });
  }

  warnUnknown(name: string, message: string): void {
    this.warnings.push({ field: name, code: 'unsupported_field', message, rule: UNKNOWN_FIELD });
  }

  has(field: Field): boolean {
    return this.#found.has(field);
  }

  get all(): Finding[] {
    return [...this.#found.values()];
  }
}
