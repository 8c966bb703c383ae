/** Payments by the interface's names: flat in the first version, nested in the second, one form inside. */
import { ADDITIONAL_INFO, BENEFICIARY, COMMON, REMITTER, spelled } from '../../../engine/service/core/payment-parts.js';
import type { Body, FormTypes } from '../../http/body.js';
import type { Names } from '../shapes.js';

const within = (part: string, shape: object): string[] => Object.keys(shape).map((name) => `${part}.${name}`);

const COMMON_FIELDS = [
  ...Object.keys(COMMON).filter((name) => name !== 'resolved'),
  'destinationAmount',
  ...within('remitter', REMITTER),
  ...within('beneficiary', BENEFICIARY),
  ...within('additionalInfo', ADDITIONAL_INFO),
];

/** What is an object in either version, where only faults name it as a whole. */
const OBJECTS: Names = { additionalInfo: 'additional_info', payoutOptions: 'payout_options' };

/** What a refusal says of a payment beside its text. */
export const PAYMENT_DETAILS: Names = {
  paymentId: 'payment_id',
  paymentStatus: 'payment_status',
  originalRequestId: 'original_request_id',
};

/** First version: flat, but for additional_info. */
export const PAYMENT_NAMES: Names = {
  ...Object.fromEntries(
    [...COMMON_FIELDS, 'accountNumber', 'equivalentAmount', 'equivalentCurrency', 'deductAmount'].map((name) => [
      name,
      spelled(name.replace(/^(remitter|beneficiary)\./, '$1_')),
    ]),
  ),
  ...OBJECTS,
  'remitter.purposeCode': 'remit_purpose_code',
  'beneficiary.relationship': 'remitter_beneficiary_relationship',
};

/** Second version: nested. */
export const PAYOUT_NAMES: Names = {
  ...Object.fromEntries(
    [
      ...COMMON_FIELDS,
      'sourceAccount',
      'sourceAmount',
      'destinationAccount',
      'feePayer',
      'payoutOptions.fxHoldId',
      'payoutOptions.deductAmount',
    ].map((name) => [name, spelled(name)]),
  ),
  ...OBJECTS,
};

const NUMBERS = ['destination_amount', 'additional_info.trade_amount', 'additional_info.trade_count'];

/** Texts of a form that are parsed as another type. */
export const PAYMENT_FORM: FormTypes = {
  numbers: [...NUMBERS, 'beneficiary_version', 'account_number', 'equivalent_amount', 'deduct_amount'],
  booleans: ['remitter_given_name'],
};
export const PAYOUT_FORM: FormTypes = {
  numbers: [
    ...NUMBERS,
    'beneficiary_version',
    'source_account',
    'source_amount',
    'destination_account',
    'payout_options.deduct_amount',
  ],
  booleans: ['remitter.given_name'],
};

/** The canonical input of a body. */
export function inputBy(names: Names): (body?: Body) => Record<string, unknown> {
  const fields = Object.entries(names)
    .filter(([ours]) => !(ours in OBJECTS))
    .map(([ours, theirs]) => ({ ours: ours.split('.'), theirs: theirs.split('.') }));

  return (body = {}) => {
    const input: Record<string, unknown> = {};
    for (const { ours, theirs } of fields) put(input, ours, read(body, theirs));
    // A value of another type in place of an object is rejected under its name.
    for (const { ours, theirs } of fields)
      if (theirs.length > 1 && isOther(body[theirs[0]!])) input[ours[0]!] = body[theirs[0]!];
    return input;
  };
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOther = (value: unknown): boolean => value !== undefined && !isObject(value);

function read(body: Body, [outer, inner]: readonly string[]): unknown {
  const value = body[outer!];
  if (inner === undefined) return value;
  return isObject(value) ? value[inner] : undefined;
}

/** Absent stays absent. */
function put(input: Record<string, unknown>, [outer, inner]: readonly string[], value: unknown): void {
  if (value === undefined) return;
  if (inner === undefined) {
    input[outer!] = value;
    return;
  }
  input[outer!] ??= {};
  (input[outer!] as Record<string, unknown>)[inner] = value;
}
