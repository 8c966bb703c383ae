/** Whatever is sent: an answer, never an exception; each field named once; and nothing but garbage is never fine. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkPayment } from '../../../../engine/domain/payments/check/check-payment.js';
import { CASES, CONTEXT, changed, payment } from './payments.js';

const RULE =
  /^(G([1-9]|1[0-8])|required|conditional|list|card|[A-Z]{2}\.(account|beneficiary|decimals|identification|max|methods|min|name|purpose|remitter|routing))$/;
const VERSION = fc.constantFrom(1 as const, 2 as const);

function findingsOf(version: 1 | 2, input: unknown) {
  const { findings, warnings } = checkPayment({ version, input }, CONTEXT);
  const named = findings.map(({ field }) => field);
  expect(new Set(named).size).toBe(named.length);
  for (const { rule, message } of [...findings, ...warnings])
    expect([rule, message]).toEqual([expect.stringMatching(RULE), expect.stringMatching(/\S/)]);
  return findings;
}

test('any input has findings, and none throws', () => {
  fc.assert(
    fc.property(
      VERSION,
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
      (version, input) => {
        expect(findingsOf(version, input).length).toBeGreaterThan(5);
      },
    ),
    { numRuns: 500 },
  );
});

test('an object in place of a text is no field', () => {
  const input = {
    ...payment(CASES[0]!),
    requestId: { name: 'ﷺ', toString: '\t' },
    statementNarrative: { text: 'x'.repeat(300) },
  };
  const named = findingsOf(1, input).map(({ field }) => field);
  expect(named.filter((field) => /requestId\.|statementNarrative\./.test(field))).toEqual([]);
});

const WORD = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    'SWIFT',
    'IFSC',
    'GB',
    'EU',
    'XX',
    'USD',
    'Company',
    'Individual',
    'CARD',
    'PASS',
    'CPF',
    'IR001',
    'constructor',
    '__proto__',
    '2026-02-30',
    'GB82WEST12345698765432',
  ),
);
const VALUE = fc.oneof(
  WORD,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.array(WORD, { maxLength: 2 }),
  fc.dictionary(WORD, WORD, { maxKeys: 2 }),
);

test('a right payment with some fields of any value', () => {
  const one = fc.constantFrom(...CASES);
  const edits = fc.array(fc.tuple(fc.nat(), VALUE), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(VERSION, one, edits, (version, which, changes) => {
      const right = payment(which);
      const fields = Object.entries(right).flatMap(([outer, value]) =>
        typeof value === 'object'
          ? [outer, ...Object.keys(value as object).map((inner) => `${outer}.${inner}`)]
          : [outer],
      );
      const what = Object.fromEntries(changes.map(([nth, value]) => [fields[nth % fields.length]!, value]));
      findingsOf(version, changed(right, what));
    }),
    { numRuns: 3_000 },
  );
});

test('reports all faults of a bad payment in one reply', () => {
  const findings = findingsOf(1, {
    requestId: '?',
    transactionNumber: '',
    destinationCurrency: 'INR',
    destinationAmount: -5,
    statementNarrative: 'x'.repeat(200),
    routingCodeType1: 'BSB CODE',
    routingCodeValue1: '012-004',
    depositMethod: 'BANK',
    payoutMethod: 'CARD',
    deductAmount: -1,
    remitter: { accountType: 'Individual', dob: '2020-01-01', occupation: 'PIRATE', purposeCode: 'IR018' },
    beneficiary: { name: '123', countryCode: 'IN', email: 'x', contactNumber: '1', accountNumber: '?', address: ' x' },
    additionalInfo: { tradeCurrency: 'ZZZ', tradeAmount: -1 },
  });
  expect(findings.map(({ field }) => field).sort()).toEqual([
    'additionalInfo.tradeAmount',
    'additionalInfo.tradeCurrency',
    'beneficiary.accountNumber',
    'beneficiary.address',
    'beneficiary.bankName',
    'beneficiary.city',
    'beneficiary.contactNumber',
    'beneficiary.email',
    'beneficiary.name',
    'deductAmount',
    'destinationAmount',
    'payoutMethod',
    'remitter.address',
    'remitter.countryCode',
    'remitter.dob',
    'remitter.name',
    'remitter.occupation',
    'remitter.purposeCode',
    'requestId',
    'routingCodeType1',
    'routingCodeType2',
    'statementNarrative',
    'transactionNumber',
  ]);
});
