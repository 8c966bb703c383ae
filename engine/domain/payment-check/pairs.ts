import type { Field } from '../corridors/field.js';
import type { Examined } from './context.js';

interface Pair {
  readonly kind: Field;
  readonly value: Field;
  readonly rule: string;
}

/** What says nothing without the other: the kind of a number, and the number (G9, G13). */
export const PAIRS: readonly Pair[] = [
  { kind: 'routingCodeType1', value: 'routingCodeValue1', rule: 'G9' },
  { kind: 'routingCodeType2', value: 'routingCodeValue2', rule: 'G9' },
  { kind: 'routingCodeType3', value: 'routingCodeValue3', rule: 'G9' },
  { kind: 'remitter.identificationType', value: 'remitter.identificationNumber', rule: 'G13' },
  { kind: 'beneficiary.identificationType', value: 'beneficiary.identificationValue', rule: 'G13' },
];

export function checkPairs({ given, found }: Examined): void {
  for (const { kind, value, rule } of PAIRS) {
    if (given.has(kind) && !given.has(value))
      found.add(value, 'invalid_combination', 'its kind was sent without it: send both', rule);
    if (given.has(value) && !given.has(kind))
      found.add(kind, 'invalid_combination', 'its code or number was sent without it: send both', rule);
  }
}
