/** One account, one notation: what counts of an account that is paid, and what does not. */
import { expect, test } from 'vitest';
import { accountOf, type Payee } from '../../../engine/domain/beneficiaries/payee-account.js';
import { schemeOf } from '../../../engine/domain/beneficiaries/payee-scheme.js';
import { answerOf, judgePayee, PAYEE_ANSWERS } from '../../../engine/domain/beneficiaries/payee-verification.js';

const codes = (...pairs: readonly (readonly [string, string])[]) =>
  Object.fromEntries(
    pairs.flatMap(([type, value], at) => [
      [`routingCodeType${at + 1}`, type],
      [`routingCodeValue${at + 1}`, value],
    ]),
  );
const bank = (country: string, currency: string, accountNumber: string, more: object = {}): Payee => ({
  ...{ country, currency, method: 'BANK' },
  details: { beneficiary: { accountNumber }, ...more },
});

const IBAN = 'DE89370400440532013000';

test.each<[string, Payee, Payee]>([
  ['an IBAN in groups', bank('DE', 'EUR', IBAN), bank('DE', 'EUR', 'de89 3704 0044 0532 0130 00')],
  ['an IBAN with a BIC', bank('DE', 'EUR', IBAN), bank('DE', 'EUR', IBAN, codes(['SWIFT', 'COBADEFF']))],
  ['an IBAN of another country than the payee', bank('DE', 'EUR', IBAN), bank('FR', 'EUR', IBAN)],
  [
    'a British IBAN',
    bank('GB', 'GBP', '31926819', codes(['SORT CODE', '601613'])),
    bank('GB', 'GBP', 'GB29 NWBK 6016 1331 9268 19'),
  ],
  [
    'a sort code with dashes',
    bank('GB', 'GBP', '31926819', codes(['SORT CODE', '601613'])),
    bank('GB', 'GBP', '3192-6819', codes(['SORT CODE', '60-16-13'])),
  ],
  [
    'a BIC with the branch of the head office',
    bank('ID', 'IDR', '1234567890', codes(['SWIFT', 'CENAIDJA'])),
    bank('ID', 'IDR', '1234567890', codes(['SWIFT', 'cenaidjaxxx'])),
  ],
  [
    'a code that no route needs',
    bank('IN', 'INR', '50100012345678', codes(['IFSC', 'HDFC0000001'])),
    bank('IN', 'INR', '50100012345678', codes(['SWIFT', 'HDFCINBB'], ['IFSC', 'HDFC0000001'])),
  ],
  ['an account of New Zealand', bank('NZ', 'NZD', '01-902-68389-00'), bank('NZ', 'NZD', '0109020068389000')],
])('%s is the same account', (_, one, other) => {
  expect(accountOf(one)).toEqual(accountOf(other));
});

test.each<[string, Payee, Payee]>([
  ['number', bank('DE', 'EUR', IBAN), bank('DE', 'EUR', 'DE75512108001245126199')],
  ['currency', bank('DE', 'EUR', IBAN), bank('DE', 'USD', IBAN)],
  [
    'bank',
    bank('IN', 'INR', '50100012345678', codes(['IFSC', 'HDFC0000001'])),
    bank('IN', 'INR', '50100012345678', codes(['IFSC', 'HDFC0000002'])),
  ],
  ['method', bank('DE', 'EUR', IBAN), { ...bank('DE', 'EUR', IBAN), method: 'WALLET' }],
])('another %s is another account', (_, one, other) => {
  expect(accountOf(one)).not.toEqual(accountOf(other));
});

test('euro in SEPA and sterling in the United Kingdom have a scheme, to banks alone', () => {
  expect(schemeOf('DE', 'EUR', 'BANK')).toBe('SEPA_VOP');
  expect(schemeOf('CH', 'EUR', 'BANK')).toBe('SEPA_VOP');
  expect(schemeOf('GB', 'GBP', 'BANK')).toBe('UK_COP');
  for (const [country, currency] of [
    ['CH', 'CHF'],
    ['US', 'EUR'],
    ['DE', 'GBP'],
  ] as const)
    expect(schemeOf(country, currency, 'BANK')).toBeUndefined();
  expect(schemeOf('DE', 'EUR', 'WALLET')).toBeUndefined();
});

test('a code means what its scheme says, and an unknown one says nothing', () => {
  for (const code of ['MBAM', 'BAMM', 'PAMM', 'BANM', 'PANM']) expect(answerOf('UK_COP', code)).toBe('CLOSE_MATCH');
  for (const code of ['AC01', 'ACNS', 'OPTO', 'SCNS', 'IVCR', 'CASS', 'ZZZZ', 'constructor'])
    expect(answerOf('UK_COP', code)).toBe('NOT_POSSIBLE');
  expect(['', 'ANNM'].map((code) => answerOf('UK_COP', code))).toEqual(['MATCH', 'NO_MATCH']);
  expect(['MTCH', 'CMTC', 'NMTC', 'NOAP'].map((code) => answerOf('SEPA_VOP', code))).toEqual([...PAYEE_ANSWERS]);
  // Each has its own codes.
  for (const code of ['', 'ANNM', 'mtch']) expect(answerOf('SEPA_VOP', code)).toBe('NOT_POSSIBLE');
});

test('a policy accepts what it names; without a verification a payment waits or is refused', () => {
  const said = { answer: 'MATCH', code: 'MTCH', verifiedAtMs: 1 } as const;
  expect(judgePayee({ accepted: ['MATCH'], required: true }, said, 'SEPA_VOP')).toBe('accepted');
  expect(judgePayee({ accepted: ['CLOSE_MATCH'], required: true }, said, 'SEPA_VOP')).toBe('waits');
  expect(judgePayee({ accepted: ['MATCH'], required: false }, undefined, 'SEPA_VOP')).toBe('waits');
  expect(judgePayee({ accepted: ['MATCH'], required: true }, undefined, 'SEPA_VOP')).toBe('missing');
  expect(judgePayee({ accepted: ['NOT_POSSIBLE'], required: true }, undefined, undefined)).toBe('accepted');
});
