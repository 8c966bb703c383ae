/** The submitted fields whose type is right, of an input that may be anything. Reads the fields that it knows and never throws. */

import { isLongerThan, TEXT_MAX } from '../../core/text.js';
import type { Field } from '../corridors/field.js';

/** Any other field is one value: what an object there contains is no field. */
const GROUPS: ReadonlySet<string> = new Set(['remitter', 'beneficiary', 'additionalInfo', 'payoutOptions']);

export class SubmittedFields {
  readonly #values = new Map<string, unknown>();

  constructor(input: unknown) {
    for (const [name, value] of entriesOf(input)) {
      if (GROUPS.has(name)) for (const [inner, part] of entriesOf(value)) this.#values.set(`${name}.${inner}`, part);
      else this.#values.set(name, value);
    }
  }

  /** Sent, whether its type is right or not; an empty text was not. */
  has(field: Field): boolean {
    const value = this.#values.get(field);
    return value !== undefined && value !== '';
  }

  /** None where it is longer than any field may be: the rules of texts reject it, and no other rule reads it. */
  text(field: Field): string | undefined {
    const value = this.#values.get(field);
    return typeof value === 'string' && value !== '' && !isLongerThan(value, TEXT_MAX) ? value : undefined;
  }

  number(field: Field): number | undefined {
    const value = this.#values.get(field);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  isTrue(field: Field): boolean {
    return this.#values.get(field) === true;
  }

  /** Every text, with the field that it is in. */
  *texts(): Generator<readonly [Field, string]> {
    for (const [field, value] of this.#values)
      if (typeof value === 'string' && value !== '') yield [field as Field, value];
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}
