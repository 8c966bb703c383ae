/** What becomes mandatory by what else was sent: each condition of the sheet, met and not met. */
import { describe, expect, test } from 'vitest';
import { checkPayment } from '../../../../engine/domain/payments/check/check-payment.js';
import type { CheckContext } from '../../../../engine/domain/payments/check/context.js';
import type { PaymentMethod } from '../../../../engine/domain/payments/payment-details.js';
import { CONTEXT, changed, corridor, payment } from './payments.js';

type Change = Readonly<Record<string, unknown>>;

interface From {
  readonly to: string;
  readonly by?: PaymentMethod;
  readonly remitter?: 'Individual' | 'Company';
  readonly beneficiary?: 'Individual' | 'Company';
  readonly usd?: number;
  readonly onBehalf?: boolean;
}

const BARE = [
  'name',
  'countryCode',
  'address',
  'city',
  'dob',
  'nationality',
  'placeOfBirth',
  'identificationType',
  'identificationNumber',
];
/** A remitter of whom only the type is sent; fields that a row needs come on top. */
const bare = (fields: Change = {}): Change => ({
  ...Object.fromEntries(BARE.map((name) => [`remitter.${name}`, undefined])),
  ...fields,
});

function found(
  { to, by = 'BANK', remitter = 'Company', beneficiary = 'Individual', usd = 1, onBehalf = false }: From,
  what: Change,
) {
  const right = payment({ corridor: corridor(to), method: by, remitter, beneficiary });
  const context: CheckContext = { ...CONTEXT, onBehalf, usdEquivalent: () => usd };
  const { findings } = checkPayment({ version: 1, input: changed(right, what) }, context);
  return findings.map(({ field, code, rule }) => `${field} ${code} ${rule}`).sort();
}

const missing = (...fields: string[]) => fields.map((field) => `${field} field_missing conditional`).sort();
const NAMED = ['remitter.name', 'remitter.countryCode'];
const KNOWN = { 'remitter.name': 'Acme', 'remitter.countryCode': 'SG' };
const IDENTIFICATION = ['remitter.identificationType', 'remitter.identificationNumber'];
const FATF = { to: 'TH', usd: 1_000 };
const BORN = { ...KNOWN, 'remitter.dob': '1980-01-01', 'remitter.placeOfBirth': 'SG' };

test.each<[string, From, Change, string[]]>([
  ['a company for itself', { to: 'TH' }, bare(), []],
  ['on behalf', { to: 'TH', onBehalf: true }, bare(), missing(...NAMED)],
  ['a person', { to: 'TH', remitter: 'Individual' }, bare(), missing(...NAMED)],
  ['its institution is named', { to: 'TH' }, bare({ originalRemitterFi: 'First Bank' }), missing(...NAMED)],
  ['its city is named', { to: 'TH' }, bare({ 'remitter.city': 'Singapore' }), missing(...NAMED)],
  ['its occupation is named', { to: 'TH' }, bare({ 'remitter.occupation': 'LEGAL' }), missing(...NAMED)],

  ['below the threshold', { to: 'TH', usd: 999, onBehalf: true }, bare(KNOWN), []],
  ['from the threshold on', { ...FATF, remitter: 'Individual' }, bare(KNOWN), missing('remitter.address')],
  ['an address', { ...FATF, remitter: 'Individual' }, bare({ ...KNOWN, 'remitter.address': '1 Main St' }), []],
  ['born instead', { ...FATF, remitter: 'Individual' }, bare(BORN), []],
  [
    'a document instead',
    { ...FATF, remitter: 'Individual' },
    bare({ ...KNOWN, 'remitter.identificationType': 'CCPT', 'remitter.identificationNumber': 'K1234567' }),
    [],
  ],
  [
    'only a day of birth',
    { ...FATF, remitter: 'Individual' },
    bare({ ...BORN, 'remitter.placeOfBirth': undefined }),
    missing('remitter.address', 'remitter.placeOfBirth'),
  ],
  [
    'only a place of birth',
    { ...FATF, remitter: 'Individual' },
    bare({ ...BORN, 'remitter.dob': undefined }),
    missing('remitter.address', 'remitter.dob'),
  ],
  ['a company for another', { ...FATF, onBehalf: true }, bare(KNOWN), missing('remitter.address', ...IDENTIFICATION)],
  ['a company with its address', { ...FATF, onBehalf: true }, bare({ ...KNOWN, 'remitter.address': '1 Main St' }), []],

  ['a purpose, below', { to: 'TH', usd: 9_999 }, { 'remitter.purposeCode': undefined }, []],
  [
    'a purpose, from there on',
    { to: 'TH', usd: 10_000 },
    { 'remitter.purposeCode': undefined },
    missing('remitter.purposeCode'),
  ],

  ['no account', { to: 'TH' }, { 'beneficiary.accountNumber': undefined }, missing('beneficiary.accountNumber')],
  ['no wallet', { to: 'PH', by: 'WALLET' }, { 'beneficiary.walletId': undefined }, missing('beneficiary.walletId')],
  ['no bank, no code', { to: 'NZ' }, { 'beneficiary.bankName': undefined }, missing('beneficiary.bankName')],
  [
    'no bank, but a code',
    { to: 'NZ' },
    { 'beneficiary.bankName': undefined, routingCodeType1: 'SWIFT', routingCodeValue1: 'ANZBNZ22' },
    [],
  ],
  ['no bank, but an IBAN', { to: 'EU' }, { 'beneficiary.bankName': undefined }, []],
  [
    'nothing to collect',
    { to: 'BD', by: 'CASH' },
    { 'additionalInfo.cashPickup': undefined },
    missing('additionalInfo.cashPickup'),
  ],
  [
    'nobody to collect',
    { to: 'BD', by: 'CASH' },
    { 'beneficiary.identificationType': undefined, 'beneficiary.identificationValue': undefined },
    missing('beneficiary.identificationType', 'beneficiary.identificationValue'),
  ],
  [
    'no card',
    { to: 'TH', by: 'BANK' },
    { depositMethod: 'CARD' },
    [
      'depositMethod incorrect_value TH.methods',
      ...missing('beneficiary.cardExpiryDate', 'beneficiary.cardNumber'),
    ].sort(),
  ],
])('%s', (_name, from, what, expected) => {
  expect(found(from, what)).toEqual(expected);
});

test.each<[string, string, From['remitter'], string[]]>([
  ['US', 'remitter.dob', 'Individual', ['US.remitter']],
  ['AU', 'remitter.dob', 'Individual', ['AU.remitter']],
  ['IN', 'remitter.dob', 'Individual', ['IN.remitter']],
  ['BD', 'remitter.dob', 'Individual', ['BD.remitter']],
  ['ZA', 'remitter.dob', 'Individual', ['ZA.remitter']],
  ['SG', 'remitter.dob', 'Individual', []],
  ['BD', 'remitter.nationality', 'Individual', ['BD.remitter']],
  ['PH', 'remitter.nationality', 'Individual', ['PH.remitter']],
  ['ZA', 'remitter.nationality', 'Individual', ['ZA.remitter']],
  ['IN', 'remitter.nationality', 'Individual', []],
  ['PH', 'remitter.nationality', 'Company', []],
])('to a person in %s without %s from %s', (to, field, remitter, rules) => {
  const place = { 'remitter.placeOfBirth': undefined };
  expect(found({ to, ...(remitter && { remitter }) }, { ...place, [field]: undefined })).toEqual(
    rules.map((rule) => `${field} field_missing ${rule}`),
  );
});

test.each(['BD', 'PH', 'ZA'])('requires no nationality of a company in %s', (to) => {
  const from = { to, remitter: 'Individual', beneficiary: 'Company' } as const;
  expect(found(from, { 'remitter.nationality': undefined })).toEqual([]);
});

describe('documents of the remitter', () => {
  const without = { 'remitter.identificationType': undefined, 'remitter.identificationNumber': undefined };
  const asked = (to: string) => IDENTIFICATION.map((field) => `${field} field_missing ${to}.remitter`).sort();

  test.each(['IN', 'CN', 'BR', 'AE'])('a company for another to %s', (to) => {
    expect(found({ to, onBehalf: true, beneficiary: 'Individual' }, without)).toEqual(asked(to));
    expect(found({ to, onBehalf: false, beneficiary: 'Individual' }, without)).toEqual([]);
  });
  test.each(['BD', 'ZA', 'HK'])('from person to person to %s', (to) => {
    expect(found({ to, remitter: 'Individual' }, without)).toEqual(asked(to));
    expect(found({ to, remitter: 'Individual', beneficiary: 'Company' }, without)).toEqual([]);
  });
});

describe('amounts', () => {
  const first = (what: Change) => found({ to: 'IN' }, what);
  test.each<[Change, string[]]>([
    [{ destinationAmount: 0 }, ['equivalentAmount field_missing conditional']],
    [{ destinationAmount: 0, equivalentAmount: 5 }, ['equivalentCurrency field_missing conditional']],
    [{ destinationAmount: 0, equivalentAmount: 5, equivalentCurrency: 'USD' }, []],
    [{ destinationAmount: 0, equivalentAmount: 0 }, ['equivalentAmount incorrect_format G6']],
    [
      { destinationAmount: 0, equivalentAmount: 5.001, equivalentCurrency: 'USD' },
      ['equivalentAmount incorrect_format G6'],
    ],
    [
      { destinationAmount: 0, equivalentAmount: 5, equivalentCurrency: 'usd' },
      ['equivalentCurrency incorrect_value G5'],
    ],
    [
      { destinationAmount: 5, equivalentAmount: 5, equivalentCurrency: 'USD' },
      ['equivalentAmount invalid_combination conditional'],
    ],
  ])('first version, %o', (what, expected) => {
    expect(first(what)).toEqual(expected);
  });

  const second = (what: Change) => {
    const { destinationAmount: _, ...right } = payment({
      corridor: corridor('IN'),
      method: 'BANK',
      remitter: 'Company',
      beneficiary: 'Individual',
    });
    const input = changed({ ...right, sourceAccount: 100_000_000_003, feePayer: 'OUR' }, what);
    const { findings } = checkPayment({ version: 2, input }, { ...CONTEXT, sourceCurrency: 'JPY' });
    return findings.map(({ field, code, rule }) => `${field} ${code} ${rule}`);
  };
  test.each<[Change, string[]]>([
    [{}, ['destinationAmount field_missing conditional']],
    [{ sourceAmount: 5 }, []],
    [{ destinationAmount: 5 }, []],
    [{ sourceAmount: 5, destinationAmount: 5 }, ['sourceAmount invalid_combination conditional']],
    [{ sourceAmount: 5.5 }, ['sourceAmount incorrect_format G6']],
    [{ sourceAmount: 0 }, ['sourceAmount incorrect_format G6']],
    [{ destinationAmount: 5, 'payoutOptions.deductAmount': 5 }, ['payoutOptions.deductAmount incorrect_value G18']],
    [{ destinationAmount: 5, 'payoutOptions.deductAmount': 4.999 }, ['payoutOptions.deductAmount incorrect_format G6']],
    [{ destinationAmount: 5, sourceAccount: undefined }, ['sourceAccount field_missing required']],
    [{ destinationAmount: 5, feePayer: 'ME' }, ['feePayer incorrect_value list']],
  ])('second version, %o', (what, expected) => {
    expect(second(what)).toEqual(expected);
  });
});

test('an amount whose worth is not known counts as large', () => {
  const right = payment({ corridor: corridor('TH'), method: 'BANK', remitter: 'Company', beneficiary: 'Individual' });
  const input = changed(right, { 'remitter.purposeCode': undefined });
  const context = { ...CONTEXT, usdEquivalent: () => undefined };
  expect(checkPayment({ version: 1, input }, context).findings).toMatchObject([{ field: 'remitter.purposeCode' }]);
  const settings = { ...CONTEXT, usdEquivalent: () => 60, thresholds: { identity: 50, purpose: 70 } };
  expect(checkPayment({ version: 1, input }, settings).findings).toEqual([]);
});
