/** The form of each text in every corridor: G2 to G5, G7, G8, and the interface's lists. */

import type { FieldFaultCode } from '../../core/refusal.js';
import { isLongerThan, TEXT_MAX } from '../../core/text.js';
import { isIsoCurrency } from '../../money/money.js';
import { isCountry, isPayeeCountry } from '../corridors/countries.js';
import type { Field } from '../corridors/field.js';
import {
  ACCOUNT_TYPES,
  BANK_ACCOUNT_TYPES,
  BENEFICIARY_IDENTIFICATION_TYPES,
  DEPOSIT_METHODS,
  OCCUPATIONS,
  PAYOUT_METHODS,
  PURPOSE_CODES,
  REMITTER_IDENTIFICATION_TYPES,
  ROUTING_KINDS,
} from '../corridors/words.js';
import { FEE_PAYERS } from '../payment.js';
import type { Examined } from './context.js';
import { leaves, leavingField } from './leaving-texts.js';
import { textFault } from './swift-charset.js';

/** A rule for one field; a pattern and a length can be shown, so they are data. */
export interface TextRule {
  readonly rule: string;
  readonly code: FieldFaultCode;
  readonly is: string;
  readonly pattern?: RegExp;
  readonly words?: readonly string[];
  readonly maxLength?: number;
  fits?(text: string): boolean;
}

const ID: TextRule = {
  rule: 'G1',
  code: 'incorrect_format',
  is: '1 to 64 of A-Z a-z 0-9 _ . -, beginning with a letter or digit',
  pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
};
const NAME: TextRule = {
  rule: 'G3',
  code: 'incorrect_format',
  is: '1 to 140 characters with a letter among them',
  maxLength: 140,
  fits: (text) => /\p{L}/u.test(text),
};
const PLACE: TextRule = {
  rule: 'G4',
  code: 'incorrect_format',
  is: `1 to ${TEXT_MAX} characters`,
  maxLength: TEXT_MAX,
};
const ANY: TextRule = { ...PLACE, rule: 'G2' };
const COUNTRY: TextRule = {
  rule: 'G5',
  code: 'incorrect_value',
  is: 'an ISO 3166-1 country code of two upper-case letters',
  pattern: /^[A-Z]{2}$/,
  fits: isCountry,
};
const CURRENCY: TextRule = {
  rule: 'G5',
  code: 'incorrect_value',
  is: 'an ISO 4217 currency code of three upper-case letters',
  pattern: /^[A-Z]{3}$/,
  fits: isIsoCurrency,
};
const EMAIL: TextRule = {
  rule: 'G8',
  code: 'incorrect_format',
  is: 'an email address of at most 254 characters',
  maxLength: 254,
  pattern:
    /^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/,
};
const PHONE: TextRule = {
  rule: 'G8',
  code: 'incorrect_format',
  is: '8 to 16 characters: a telephone number with its country code, optionally + in front',
  pattern: /^(\+[1-9]\d{6,14}|[1-9]\d{7,14})$/,
};
const DATE: TextRule = {
  rule: 'G7',
  code: 'incorrect_value',
  is: 'a real day as YYYY-MM-DD',
  pattern: /^\d{4}-\d{2}-\d{2}$/,
  fits: isDay,
};
const NARRATIVE: TextRule = { rule: 'G16', code: 'incorrect_format', is: '1 to 140 characters', maxLength: 140 };

const oneOf = (words: readonly string[], rule = 'list'): TextRule => ({
  rule,
  code: 'incorrect_value',
  is: `one of ${words.join(', ')}`,
  words,
});

const RULES: Partial<Readonly<Record<Field, TextRule>>> = {
  requestId: ID,
  transactionNumber: ID,
  destinationCurrency: CURRENCY,
  localConversionCurrency: CURRENCY,
  equivalentCurrency: CURRENCY,
  statementNarrative: NARRATIVE,
  depositMethod: oneOf(DEPOSIT_METHODS),
  payoutMethod: oneOf(PAYOUT_METHODS),
  feePayer: oneOf(FEE_PAYERS),
  routingCodeType1: oneOf(ROUTING_KINDS, 'G9'),
  routingCodeType2: oneOf(ROUTING_KINDS, 'G9'),
  routingCodeType3: oneOf(ROUTING_KINDS, 'G9'),
  'remitter.name': NAME,
  'remitter.accountType': oneOf(ACCOUNT_TYPES),
  'remitter.identificationType': oneOf(REMITTER_IDENTIFICATION_TYPES, 'G13'),
  'remitter.countryCode': COUNTRY,
  'remitter.address': PLACE,
  'remitter.city': PLACE,
  'remitter.state': PLACE,
  'remitter.purposeCode': oneOf(PURPOSE_CODES),
  'remitter.contactNumber': PHONE,
  'remitter.dob': DATE,
  'remitter.placeOfBirth': COUNTRY,
  'remitter.nationality': COUNTRY,
  'remitter.occupation': oneOf(OCCUPATIONS),
  'beneficiary.name': NAME,
  'beneficiary.countryCode': { ...COUNTRY, fits: isPayeeCountry },
  'beneficiary.address': PLACE,
  'beneficiary.city': PLACE,
  'beneficiary.state': PLACE,
  'beneficiary.email': EMAIL,
  'beneficiary.accountType': oneOf(ACCOUNT_TYPES),
  'beneficiary.contactNumber': PHONE,
  'beneficiary.dob': DATE,
  'beneficiary.bankAccountType': oneOf(BANK_ACCOUNT_TYPES),
  'beneficiary.identificationType': oneOf(BENEFICIARY_IDENTIFICATION_TYPES, 'G13'),
  'beneficiary.cardExpiryDate': {
    rule: 'G7',
    code: 'incorrect_value',
    is: 'a month as YYYY-MM',
    pattern: /^\d{4}-(0[1-9]|1[0-2])$/,
  },
  'additionalInfo.tradeCurrency': CURRENCY,
};

export const textRule = (field: Field): TextRule => RULES[field] ?? ANY;

export function checkTexts({ submitted, found, corridor }: Examined): void {
  for (const [field, text] of submitted.texts()) {
    const { rule, code, is, pattern, words, maxLength = TEXT_MAX, fits } = textRule(field);
    if (isLongerThan(text, maxLength)) {
      found.add(field, code, is, rule);
      continue;
    }
    const fault = textFault(text);
    if (fault) found.add(field, 'incorrect_format', fault, 'G2');
    const isRight =
      (words === undefined || words.includes(text)) &&
      (pattern === undefined || pattern.test(text)) &&
      (fits === undefined || fits(text));
    if (!isRight) found.add(field, code, is, rule);
    if (!leaves(field)) continue;
    const leaving = leavingField(field, text, corridor);
    if (leaving === undefined)
      found.add(field, 'incorrect_format', "letters, digits, spaces and / - ? : ( ) . , ' + alone", 'G2');
    else if (isLongerThan(leaving, maxLength)) found.add(field, code, withLength(is, leaving), rule);
  }
}

/** Of a text that is too long as it leaves. */
export const withLength = (is: string, leaving: string): string =>
  `${is}: it has ${[...leaving].length} once its letters are replaced by plain ones`;

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
