/** The texts that leave with a payment, in the characters that its rail carries: others are replaced by the nearest, or refused. */
import type { Corridor } from '../corridors/corridor.js';
import { corridorOf } from '../corridors/corridor-of.js';
import type { Field } from '../corridors/field.js';
import type { Payment } from '../payment.js';
import { plainText } from './swift-charset.js';

const OF_PERSON = ['name', 'address', 'city', 'state', 'postcode'] as const;
const LEAVES = {
  top: ['statementNarrative', 'originalRemitterFi'],
  remitter: [...OF_PERSON, 'sourceOfIncome', 'sourceOfFunds', 'bankAccountNumber'],
  beneficiary: [...OF_PERSON, 'bankName', 'bankCode', 'relationship'],
  additionalInfo: [
    ...(['tradeOrderId', 'tradeTime', 'tradeName', 'goodsCarrier'] as const),
    ...(['serviceDetail', 'serviceTime', 'cashPickup'] as const),
  ],
} as const;

/** What has a form of its own, as email addresses and the numbers of accounts and documents have, is judged by that. */
const FIELDS: ReadonlySet<string> = new Set<Field>([
  ...LEAVES.top,
  ...LEAVES.remitter.map((name) => `remitter.${name}` as const),
  ...LEAVES.beneficiary.map((name) => `beneficiary.${name}` as const),
  ...LEAVES.additionalInfo.map((name) => `additionalInfo.${name}` as const),
]);

export const leaves = (field: string): boolean => FIELDS.has(field);

/** Another character would make another number of it. */
const NUMBERS: ReadonlySet<string> = new Set<Field>(['remitter.bankAccountNumber', 'beneficiary.bankCode']);

/** The text of this field as it leaves; undefined: it cannot. */
export function leavingField(field: string, text: string, corridor: Corridor | undefined): string | undefined {
  const leaving = leavingText(text, corridor);
  return NUMBERS.has(field) && leaving !== text ? undefined : leaving;
}

/**
 * The text as it leaves: in SWIFT's X set, which SEPA and the domestic rails here carry too; in the local script too where the corridor has one.
 * Undefined: a character has no nearest one, or nothing is left.
 */
export const leavingText = (text: string, corridor: Corridor | undefined): string | undefined =>
  plainText(text, corridor?.hasLocalScript === true);

/** The payment with its texts as they leave, for the bank. */
export function asItLeaves(payment: Payment): Payment {
  const { country, currency, details } = payment;
  const corridor = corridorOf(country, currency);
  const { remitter, beneficiary, additionalInfo } = details;
  const replaced = <Part extends object>(part: Part, names: readonly string[]): Part => {
    const values = part as Record<string, unknown>;
    const texts = names.flatMap((name) => {
      const value = values[name];
      return typeof value === 'string' ? [[name, leavingText(value, corridor) ?? value] as const] : [];
    });
    return { ...part, ...Object.fromEntries(texts) };
  };
  return {
    ...payment,
    details: {
      ...replaced(details, LEAVES.top),
      remitter: replaced(remitter, LEAVES.remitter),
      beneficiary: replaced(beneficiary, LEAVES.beneficiary),
      additionalInfo: replaced(additionalInfo, LEAVES.additionalInfo),
    },
  };
}
